import { expect, test } from 'vitest'
import { countChanges, diffLimits, diffLines, type Hunk } from './diffLines.ts'

const format = (before: string, after: string) =>
  diffLines(before, after)?.map((hunk) =>
    hunk.map(({ change, text }) => ({ same: ' ', added: '+', removed: '-' })[change] + text),
  )

test('shows what changed, with three lines around it', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`)
  const changed = lines.with(9, 'line ten').toSpliced(19, 1)
  expect(format(lines.join('\n'), changed.join('\n'))).toEqual([
    [' line 7', ' line 8', ' line 9', '-line 10', '+line ten', ' line 11', ' line 12', ' line 13'],
    [' line 17', ' line 18', ' line 19', '-line 20'],
  ])
  expect(format('', 'a\n')).toEqual([['+a']])
  expect(format('a\nb', 'a\nb\n')).toEqual([])
})

/** Every text of at most five lines, with two kinds of lines. */
const texts: string[][] = [[]]
for (const lines of texts) if (lines.length < 5) texts.push([...lines, 'a'], [...lines, 'b'])

test('applied to any old version, the changes give the new one, and there is no shorter way', () => {
  expect(texts).toHaveLength(63)
  for (const old of texts) {
    for (const current of texts) {
      const hunks = diffLines(toText(old), toText(current)) ?? []
      expect(applyHunks(old, hunks)).toEqual(current)
      const { added, removed } = countChanges(hunks)
      expect(added + removed).toBe(computeDistance(old, current))
    }
  }
})

test('texts that are too long or too different are not compared', () => {
  const long = 'x\n'.repeat(diffLimits.lines + 1)
  expect(diffLines(long, 'x')).toBeNull()
  const many = (prefix: string) => Array.from({ length: 4_000 }, (_, index) => `${prefix}${index}`).join('\n')
  expect(diffLines(many('a'), many('b'))).toBeNull()
  expect(diffLines(many('a'), `${many('a')}\nend`)).toHaveLength(1)
})

const toText = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

/** Applies changes by their line numbers. Throws if an old line is not where they say. */
function applyHunks(old: readonly string[], hunks: readonly Hunk[]): string[] {
  const lines = hunks.flat()
  const kept = old.map((text, index) => ({ text, line: lines.find(({ before }) => before === index + 1) }))
  for (const { text, line } of kept) if (line && line.text !== text) throw new Error(`Expected ${line.text}.`)
  const rebuilt = kept.filter(({ line }) => line?.change !== 'removed').map(({ text }) => text)
  for (const { change, after, text } of lines) if (change === 'added' && after) rebuilt.splice(after - 1, 0, text)
  return rebuilt
}

/** The fewest added and removed lines, computed in the plain way. */
function computeDistance(a: readonly string[], b: readonly string[]): number {
  let row = b.map((_, index) => index + 1)
  row.unshift(0)
  for (const [index, line] of a.entries()) {
    const next = [index + 1]
    for (const [at, other] of b.entries()) {
      const best = Math.min(row[at + 1] ?? 0, next[at] ?? 0) + 1
      next.push(line === other ? Math.min(best, row[at] ?? 0) : best)
    }
    row = next
  }
  return row.at(-1) ?? 0
}
