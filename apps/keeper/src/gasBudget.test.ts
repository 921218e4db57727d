import { expect, test } from 'vitest'
import { createGasBudget, mapPurposes } from './gasBudget.ts'

const minute = 60_000
const none = mapPurposes(() => 0n)

test('counts what was spent in the last hour and in the last day', () => {
  let now = 1_800_000_000_000
  const budget = createGasBudget({ hourWei: 100n, dayWei: 150n }, () => now)
  expect(budget.allows(100n, null, none)).toBe(true)
  expect(budget.allows(101n, null, none)).toBe(false)
  budget.spend(70n, 'payout')
  expect(budget.allows(31n, null, none)).toBe(false)
  expect(budget.left()).toEqual({ hour: 30n, day: 80n })
  now += 60 * minute
  expect(budget.left()).toEqual({ hour: 100n, day: 80n })
  expect(budget.allows(81n, null, none)).toBe(false)
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

test('no purpose uses what is kept for another, and what is in flight counts', () => {
  const budget = createGasBudget({ hourWei: 100n, dayWei: 1_000n })
  const measure = (reserved = none) =>
    mapPurposes((purpose) => {
      let maxSpent = 0n
      while (budget.allows(maxSpent + 1n, purpose, reserved)) maxSpent++
      return maxSpent
    })
  expect(measure()).toEqual({ payout: 70n, refund: 50n, housekeeping: 40n })
  budget.spend(40n, 'housekeeping')
  expect(measure()).toEqual({ payout: 40n, refund: 20n, housekeeping: 0n })
  expect(measure({ ...none, payout: 25n })).toEqual({ payout: 15n, refund: 20n, housekeeping: 0n })
  // The parts are parts of what was left at a restart.
  budget.restore({ hour: 30n, day: 30n })
  expect(measure()).toMatchObject({ payout: 16n, refund: 2n })
})
