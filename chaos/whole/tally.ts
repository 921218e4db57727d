/** Counts what happened, by name, and keeps what must not have happened. */
export interface Tally {
  count: (group: string, name: string) => void
  /** Something that must not be: the first is what a failure names. */
  fault: (text: string) => void
  groups: ReadonlyMap<string, ReadonlyMap<string, number>>
  faults: readonly string[]
}

/** More faults than this say nothing new. */
const maxFaults = 100

/** Begins with nothing. */
export function createTally(): Tally {
  const groups = new Map<string, Map<string, number>>()
  const faults: string[] = []
  return {
    groups,
    faults,
    count(group, name) {
      const names = groups.get(group) ?? new Map<string, number>()
      names.set(name, (names.get(name) ?? 0) + 1)
      groups.set(group, names)
    },
    fault: (text) => {
      if (faults.length < maxFaults) faults.push(text)
    },
  }
}

/** The counts of a group in words: `a 2, b 1`. */
export function wordsOf({ groups }: Tally, group: string): string {
  const names = [...(groups.get(group) ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return names.map(([name, count]) => `${name} ${count}`).join(', ') || 'none'
}
