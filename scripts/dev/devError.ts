/** Why the stack does not run, in words for the one who started it. */
export class DevError extends Error {
  override name = 'DevError'
}
