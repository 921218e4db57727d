import { expect, test } from 'vitest'
import { createGasBudget } from './gasBudget.ts'

const minute = 60_000

test('counts what was spent in the last hour and in the last day', () => {
  let now = 1_800_000_000_000
  const budget = createGasBudget({ hourWei: 100n, dayWei: 150n }, () => now)
  expect(budget.allows(100n, 0n, true)).toBe(true)
  expect(budget.allows(101n, 0n, true)).toBe(false)
  budget.spend(70n)
  expect(budget.allows(31n, 0n, true)).toBe(false)
  expect(budget.left()).toEqual({ hour: 30n, day: 80n })
  now += 60 * minute
  expect(budget.left()).toEqual({ hour: 100n, day: 80n })
  expect(budget.allows(81n, 0n, true)).toBe(false)
  now += 23 * 60 * minute
  expect(budget.left()).toEqual({ hour: 100n, day: 150n })
})

test('what was spent before a restart counts as if it were spent now', () => {
  let now = 1_800_000_000_000
  const budget = createGasBudget({ hourWei: 100n, dayWei: 150n }, () => now)
  budget.restore({ hour: 60n, day: 90n })
  expect(budget.left()).toEqual({ hour: 40n, day: 60n })
  now += 60 * minute
  expect(budget.left()).toEqual({ hour: 100n, day: 60n })
  now += 23 * 60 * minute
  expect(budget.left()).toEqual({ hour: 100n, day: 150n })
})

test('what is in flight counts, and a fifth is kept for urgent calls', () => {
  const budget = createGasBudget({ hourWei: 100n, dayWei: 1_000n })
  expect(budget.allows(80n, 0n, false)).toBe(true)
  expect(budget.allows(81n, 0n, false)).toBe(false)
  expect(budget.allows(81n, 0n, true)).toBe(true)
  expect(budget.allows(40n, 50n, false)).toBe(false)
  expect(budget.allows(40n, 60n, true)).toBe(true)
})
