import { expect, test } from 'vitest'
import { computeFees, computeReplacementFees, type Fees } from './fees.ts'

const limits = { maxFeeWei: 1_000n, tipWei: 10n }

test('leaves room for the base fee to double, below the limit', () => {
  expect(computeFees(100n, limits)).toEqual({ maxFeePerGas: 210n, maxPriorityFeePerGas: 10n })
  expect(computeFees(700n, limits)).toEqual({ maxFeePerGas: 1_000n, maxPriorityFeePerGas: 10n })
  expect(computeFees(991n, limits)).toBeNull()
})

test('a fee that nodes called underpriced rises', () => {
  expect(computeFees(100n, limits, 2)?.maxPriorityFeePerGas).toBeGreaterThan(15n)
  expect(computeFees(100n, limits, 100)).toBeNull()
})

test('a replacement raises both fees by more than a tenth, up to the limit', () => {
  let fees: Fees | null = { maxFeePerGas: 210n, maxPriorityFeePerGas: 10n }
  let times = 0
  for (let last = fees; fees; last = fees, times++) {
    fees = computeReplacementFees(last, limits)
    if (!fees) break
    expect(fees.maxFeePerGas * 10n).toBeGreaterThan(last.maxFeePerGas * 11n)
    expect(fees.maxPriorityFeePerGas * 10n).toBeGreaterThan(last.maxPriorityFeePerGas * 11n)
    expect(fees.maxFeePerGas).toBeLessThanOrEqual(limits.maxFeeWei)
  }
  expect(times).toBe(6)
})
