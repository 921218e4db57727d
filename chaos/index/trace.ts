import { createHash } from 'node:crypto'

/** Everything that happens in a seed, in order. Two runs of one seed must have the same digest. */
export interface Trace {
  /** `whole` is what the digest covers, if it is too long to print. */
  record: (who: string, what: string, whole?: string) => void
  digest: () => string
}

/** Creates an empty trace. `print` receives every line. */
export function createTrace(print?: (line: string) => void): Trace {
  const hash = createHash('sha256')
  let lines = 0
  return {
    record(who, what, whole = what) {
      hash.update(`${++lines} ${who} ${whole}\n`)
      print?.(`${lines} ${who} ${what}`)
    },
    digest: () => hash.copy().digest('hex').slice(0, 12),
  }
}
