import { describe, expect, test } from 'vitest'
import { tables } from '../tables.ts'
import { owners } from './owners.ts'
import { plantedRules } from './plantedRules.ts'
import { searchSetting } from './run.ts'
import { cent } from './search.ts'

const usual = { play: 'all are there, the court is right', setting: 'open, standard', amount: 200_000n, price: 0.0025 }
const absent = 'the other party goes away before the work'
const errs = 'the court is right 98 %'

describe('while all are there and the court is right', () => {
  const others = owners.filter(({ admitted, actors }) => admitted === null && !actors.includes('both'))
  test.each(others.map(({ name }) => name))('%s: no plan pays', (owner) => {
    for (const setting of ['open, standard', 'open, store, standard', 'private, judge, standard']) {
      expect(searchSetting(tables, { ...usual, owner, setting }).gain).toBeLessThan(cent)
    }
  })

  test('one owner of both parties loses at least a fee', () => {
    expect(searchSetting(tables, { ...usual, owner: 'poster and worker' }).gain).toBeCloseTo(-2.5)
  })
})

test.each(plantedRules)('the search finds a planted rule: $name', (rule) => {
  const [real, planted] = [searchSetting(tables, rule), searchSetting(rule.tables, rule)]
  expect(planted.gain).toBeGreaterThan(Math.max(0, real.gain) + cent)
})

describe('the search finds what docs/economics.md admits', () => {
  test.each([
    // With the fee to post or claim. The third figure is the owner's part of the entry fees of others.
    ['treasury and poster', { play: absent }, 1.5, 1.5],
    ['poster and all stakes', { play: absent }, 1, 1],
    ['worker', { play: 'the other party goes away' }, 497.5, 0],
    ['worker', { play: 'the court never answers' }, 497.5, 0],
    ['worker', { play: 'the poster offers 1 bps for junk' }, 2.55, 0],
    ['worker', { play: errs, amount: 2_000_000n }, 92.42, 0],
    ['poster and store', { play: errs, setting: 'open, store, standard', amount: 2_000_000n }, 82.42, 0],
    ['poster', { play: 'the worker takes 90 %' }, 42.5, 0],
    ['poster and judge', { play: 'nobody appeals', setting: 'private, judge, standard' }, 510.5, 0],
  ] as const)('%s, %o: %d', (owner, where, gain, sales) => {
    const best = searchSetting(tables, { ...usual, ...where, owner })
    expect(best.gain).toBeCloseTo(gain)
    expect(best.sales).toBeCloseTo(sales)
  })
})
