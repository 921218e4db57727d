import { createHash } from 'node:crypto'

/** All that happens in a seed, in order. Two runs of one seed must come to the same digest. */
export interface Trace {
  /** `whole` is what the digest is made from where that is too long to print. */
  note: (who: string, what: string, whole?: string) => void
  digest: () => string
}

/** An empty trace; `print` hears every line. */
export function createTrace(print?: (line: string) => void): Trace {
  const hash = createHash('sha256')
  let lines = 0
  return {
    note(who, what, whole = what) {
      hash.update(`${++lines} ${who} ${whole}\n`)
      print?.(`${lines} ${who} ${what}`)
    },
    digest: () => hash.copy().digest('hex').slice(0, 12),
  }
}
