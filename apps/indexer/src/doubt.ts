/** Providers contradict each other, or what one says cannot be: nothing is written, and the step is made again. */
export class DoubtError extends Error {
  override name = 'DoubtError'
}
