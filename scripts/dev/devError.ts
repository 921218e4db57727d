/** Why the stack does not run, as a message for the user. */
export class DevError extends Error {
  override name = 'DevError'
}
