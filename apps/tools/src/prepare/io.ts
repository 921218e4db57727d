import type { Readable } from 'node:stream'

/** A text output stream. `isTTY` is set if it is a terminal. */
interface Output {
  write: (text: string) => unknown
  isTTY?: boolean | undefined
}

/** The environment, streams and clock of the command, passed in by the entry file. */
export interface Io {
  environment: Readonly<Record<string, string | undefined>>
  input: Readable
  output: Output
  errors: Output
  /** Unix milliseconds. */
  now: () => number
}
