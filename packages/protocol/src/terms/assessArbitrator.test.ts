import { expect, test } from 'vitest'
import { type ArbitratorFacts, assessArbitrator, suggestArbitrator } from './assessArbitrator.ts'

const tok = 10n ** 18n
const good = { bond: 500_000n * tok, locked: 0n, unbondAt: 0, resolved: 10, timedOut: 0, overturned: 2 }
/** 100,000 TOK at 0.0025 are USD 250. */
const sum = { amount: 100_000n * tok, usdPerTok: 250_000n }

test.each<[string, ArbitratorFacts | null, typeof sum, readonly RegExp[]]>([
  ['a bonded judge with a good record', good, sum, []],
  ['a wallet that nobody knows', null, sum, [/never ruled/, /not bonded/]],
  ['a new judge', { ...good, resolved: 0, overturned: 0 }, sum, [/never ruled/]],
  ['one that unbonds', { ...good, unbondAt: 1 }, sum, [/not bonded/]],
  ['one with too little bond', { ...good, bond: 9_999n * tok }, sum, [/not bonded/]],
  ['one whose bond other cases lock', { ...good, locked: 375_001n * tok }, sum, [/Too little of its bond/]],
  ['one whose bond is just enough', { ...good, locked: 375_000n * tok }, sum, []],
  ['one that is often overturned', { ...good, overturned: 3 }, sum, [/overturned 3 of its 10/]],
  ['one that was silent', { ...good, timedOut: 1 }, sum, [/1 case and did not rule/]],
  ['any judge above USD 250', good, { ...sum, amount: sum.amount + 1n }, [/Above USD 250/]],
])('%s', (_, arbitrator, about, expected) => {
  const warnings = assessArbitrator(arbitrator, about)
  expect(warnings).toHaveLength(expected.length)
  for (const [index, text] of expected.entries()) expect(warnings[index]).toMatch(text)
})

test('without a price nothing is said about the sum', () => {
  expect(assessArbitrator({ ...good, bond: 10n ** 30n }, { amount: 10n ** 27n, usdPerTok: null })).toEqual([])
})

test('suggests the judge whose rulings stood most often, then the one with the largest bond', () => {
  const best = { ...good, resolved: 11 }
  const richest = { ...best, bond: good.bond + 1n }
  expect(suggestArbitrator([good, best, richest, { ...richest, timedOut: 1 }], sum)).toBe(richest)
  expect(suggestArbitrator([good], { ...sum, amount: 2n * sum.amount })).toBeNull()
})
