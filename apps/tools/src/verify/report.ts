/** What `svc-verify` found out: as lines for a person, as JSON for a program. */
export interface Report {
  lines: readonly string[]
  json: Readonly<Record<string, unknown>>
  isTrue: boolean
}

/** What each exit code says. */
export const verifyExits = {
  equal: { code: 0, words: 'true: equal, or a whole agreement' },
  different: { code: 1, words: 'different, or a broken agreement' },
  usage: { code: 2, words: 'not understood: an argument, a file or the environment cannot be read' },
  unverified: {
    code: 3,
    words: 'could not be verified: the block is gone, or the chain or the service cannot be reached',
  },
} as const

/** Nothing was found out, for this reason. */
export class UnverifiedError extends Error {
  override name = 'UnverifiedError'
}
