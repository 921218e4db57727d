import type { Readable } from 'node:stream'

/** A stream that text is written to; `isTTY` where a person looks at it. */
interface Output {
  write: (text: string) => unknown
  isTTY?: boolean | undefined
}

/** All that the command touches of the world outside, besides chain and gateway; the entry file hands it in. */
export interface Io {
  environment: Readonly<Record<string, string | undefined>>
  input: Readable
  output: Output
  errors: Output
  /** Unix milliseconds. */
  now: () => number
}
