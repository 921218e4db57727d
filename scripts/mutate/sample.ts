import { createHash } from 'node:crypto'
import type { Mutant } from './mutants.ts'

/**
 * Draws `size` mutants, spread over the files in proportion to their mutants. The same seed draws the same ones, and a
 * larger sample of a file contains the smaller one.
 */
export function drawSample(mutants: readonly Mutant[], size: number, seed: string): Mutant[] {
  if (size >= mutants.length) return [...mutants]
  const byFile = Map.groupBy(mutants, ({ file }) => file)
  const exact = [...byFile].map(([file, own]) => ({ file, own, share: (own.length * size) / mutants.length }))
  const left = size - exact.reduce((sum, { share }) => sum + Math.floor(share), 0)
  // The largest remainders get what rounding down left over.
  const raised = new Set(
    exact
      .toSorted((a, b) => (b.share % 1) - (a.share % 1))
      .slice(0, left)
      .map(({ file }) => file),
  )
  return exact.flatMap(({ file, own, share }) => {
    const order = new Map(own.map((mutant) => [mutant, hash(`${seed}\n${file}\n${mutant.label}`)]))
    const drawn = own.toSorted((a, b) => ((order.get(a) ?? '') < (order.get(b) ?? '') ? -1 : 1))
    return drawn.slice(0, Math.floor(share) + (raised.has(file) ? 1 : 0))
  })
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
