/** Counts events by group and name, and collects failures. */
export interface Tally {
  count: (group: string, name: string) => void
  /** Records something that must not happen. */
  fail: (text: string) => void
  groups: ReadonlyMap<string, ReadonlyMap<string, number>>
  failures: readonly string[]
}

/** Further failures add no information. */
const maxFailures = 100

/** Creates an empty tally. */
export function createTally(): Tally {
  const groups = new Map<string, Map<string, number>>()
  const failures: string[] = []
  return {
    groups,
    failures,
    count(group, name) {
      const names = groups.get(group) ?? new Map<string, number>()
      names.set(name, (names.get(name) ?? 0) + 1)
      groups.set(group, names)
    },
    fail: (text) => {
      if (failures.length < maxFailures) failures.push(text)
    },
  }
}

/** Formats the counts of a group: `a 2, b 1`. */
export function formatCounts({ groups }: Tally, group: string): string {
  const names = [...(groups.get(group) ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return names.map(([name, count]) => `${name} ${count}`).join(', ') || 'none'
}
