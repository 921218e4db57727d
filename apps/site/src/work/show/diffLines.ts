/** A line of a comparison, with its number in the version that has it. */
export interface DiffLine {
  change: 'same' | 'added' | 'removed'
  text: string
  before: number | null
  after: number | null
}

/** Lines that differ, with a few equal ones around them. */
export type Hunk = readonly DiffLine[]

/** More is not compared: it would take seconds, and nobody would read it. */
export const diffLimits = { lines: 5_000, edits: 1_000, context: 3 } as const

/**
 * Compares two texts line by line with the fewest changes (Myers, "An O(ND) Difference Algorithm"). Returns the differing
 * places, or null if the texts are longer or differ more than the limits.
 */
export function diffLines(before: string, after: string): Hunk[] | null {
  const [old, current] = [splitLines(before), splitLines(after)]
  if (Math.max(old.length, current.length) > diffLimits.lines) return null
  const lines = compare(old, current)
  return lines && cutHunks(lines)
}

/** Counts the changed lines. */
export const countChanges = (hunks: readonly Hunk[]): { added: number; removed: number } => ({
  added: hunks.flat().filter(({ change }) => change === 'added').length,
  removed: hunks.flat().filter(({ change }) => change === 'removed').length,
})

/** A line feed at the end does not begin another line. */
function splitLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Finds the shortest edit. Returns null if it is longer than the limit. */
function compare(old: readonly string[], current: readonly string[]): DiffLine[] | null {
  // furthest[k + d]: how many old lines are used up on diagonal k after d edits; one array for each number of edits.
  const rounds: Int32Array[] = []
  let furthest = Int32Array.of(0)
  for (let edits = 0; edits <= diffLimits.edits; edits++) {
    const next = new Int32Array(2 * edits + 1)
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let at = edits === 0 ? 0 : stepTo(furthest, edits, diagonal).at
      while (at < old.length && at - diagonal < current.length && old[at] === current[at - diagonal]) at += 1
      next[diagonal + edits] = at
      if (at >= old.length && at - diagonal >= current.length) return walkBack(rounds, edits, old, current)
    }
    rounds.push(next)
    furthest = next
  }
  return null
}

/** The better way to a diagonal: removing a line from the diagonal below, or adding one from above. */
function stepTo(furthest: Int32Array, edits: number, diagonal: number): { at: number; isAdded: boolean } {
  const read = (from: number) => (Math.abs(from) > edits - 1 ? -1 : (furthest[from + edits - 1] ?? -1))
  const [removed, added] = [read(diagonal - 1), read(diagonal + 1)]
  const isAdded = diagonal === -edits || (diagonal !== edits && removed < added)
  return isAdded ? { at: added, isAdded } : { at: removed + 1, isAdded }
}

function walkBack(
  rounds: readonly Int32Array[],
  edits: number,
  old: readonly string[],
  current: readonly string[],
): DiffLine[] {
  const lines: DiffLine[] = []
  let [before, after] = [old.length, current.length]
  const addSame = () => {
    before -= 1
    after -= 1
    lines.push({ change: 'same', text: old[before] ?? '', before: before + 1, after: after + 1 })
  }
  for (let left = edits; left > 0; left--) {
    const { at, isAdded } = stepTo(rounds[left - 1] ?? new Int32Array(), left, before - after)
    while (before > at) addSame()
    if (isAdded) {
      after -= 1
      lines.push({ change: 'added', text: current[after] ?? '', before: null, after: after + 1 })
    } else {
      before -= 1
      lines.push({ change: 'removed', text: old[before] ?? '', before: before + 1, after: null })
    }
  }
  while (before > 0) addSame()
  return lines.reverse()
}

/** Leaves out equal lines that are far from a change. */
function cutHunks(lines: readonly DiffLine[]): Hunk[] {
  const hunks: DiffLine[][] = []
  let keptUntil = -1
  for (const [index, { change }] of lines.entries()) {
    if (change === 'same') continue
    const from = Math.max(index - diffLimits.context, 0)
    if (from > keptUntil || hunks.length === 0) hunks.push([])
    const start = Math.max(from, keptUntil)
    const end = Math.min(index + diffLimits.context + 1, lines.length)
    hunks.at(-1)?.push(...lines.slice(start, end))
    keptUntil = end
  }
  return hunks
}
