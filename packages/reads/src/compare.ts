/** A difference between an answer and the chain; a value that one side lacks is undefined. */
export interface Difference {
  /** `task.amounts.total` or `tasks[3].state`; empty for the whole answer. */
  path: string
  said: unknown
  chain: unknown
}

export interface Comparison {
  /** Number of values that were compared. */
  compared: number
  differences: readonly Difference[]
  /** Number of differences beyond the listed ones. */
  more: number
}

/** Maximum number of listed differences. */
const maxListed = 100

/** Compares two JSON values leaf by leaf. A value that only one side has is a difference; the order of keys is not. */
export function compare(said: unknown, chain: unknown): Comparison {
  const differences: Difference[] = []
  let [compared, more] = [0, 0]

  const differ = (difference: Difference) => {
    if (differences.length < maxListed) differences.push(difference)
    else more++
  }

  const walk = (ours: unknown, theirs: unknown, path: string) => {
    if (Array.isArray(ours) && Array.isArray(theirs)) {
      for (let at = 0; at < Math.max(ours.length, theirs.length); at++) walk(ours[at], theirs[at], `${path}[${at}]`)
      if (theirs.length === 0) compared++
    } else if (isObject(ours) && isObject(theirs)) {
      const names = new Set([...Object.keys(theirs), ...Object.keys(ours)])
      for (const name of names) walk(own(ours, name), own(theirs, name), path === '' ? name : `${path}.${name}`)
      if (names.size === 0) compared++
    } else {
      compared++
      if (ours !== theirs) differ({ path, said: ours, chain: theirs })
    }
  }

  walk(said, chain, '')
  return { compared, differences, more }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const own = (value: Record<string, unknown>, name: string) => (Object.hasOwn(value, name) ? value[name] : undefined)
