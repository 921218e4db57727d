import fc from 'fast-check'
import { expect, test } from 'vitest'
import { marketParams } from '../money/params.ts'
import { type ClaimFacts, computeClaimableUntil, findClaimEnd } from './claimable.ts'
import { claimPolicies, taskStates } from './states.ts'

const params = marketParams.micro
const poster = `0x${'11'.repeat(20)}`
const cutoff = 100_000
const task: ClaimFacts = {
  state: 'POSTED',
  scope: 'OPEN',
  claimPolicy: 'ANYONE',
  poster,
  worker: null,
  current: 0,
  maxRevisions: 0,
  revisions: 0,
  claimedAt: 0,
  fundedAtClaim: false,
  claimDeadline: cutoff + params.claimCutoff,
  deadline: 0,
  reviewEnd: 0,
  reviewWindow: params.minReviewWindow,
  store: null,
  receipted: false,
  underNotice: false,
  total: 5n,
  funded: 5n,
}
const open = { entriesPaused: false, sunsetAt: 0 }
const until = (change: Partial<ClaimFacts>, surroundings = open, now = cutoff) =>
  computeClaimableUntil({ ...task, ...change }, params, surroundings, now)

test('a task can be claimed up to the cutoff before its claim deadline, with or without a permit', () => {
  expect(until({})).toBe(cutoff)
  expect(until({ claimPolicy: 'PERMIT' })).toBe(cutoff)
  expect(until({}, open, cutoff + 1)).toBeNull()
})

test('only a posted task can be claimed, and only while entries are open', () => {
  for (const state of taskStates) if (state !== 'POSTED') expect(until({ state })).toBeNull()
  expect(until({}, { ...open, entriesPaused: true })).toBeNull()
  expect(until({}, { ...open, sunsetAt: cutoff + 1 })).toBe(cutoff)
  expect(until({}, { ...open, sunsetAt: cutoff })).toBeNull()
  expect(until({}, { ...open, sunsetAt: 1 })).toBeNull()
})

test('the end that stores check says the same as the lifecycle table', () => {
  const facts = fc.record({ state: fc.constantFrom(...taskStates), claimPolicy: fc.constantFrom(...claimPolicies) })
  const surroundings = fc.record({
    entriesPaused: fc.boolean(),
    sunsetAt: fc.constantFrom(0, 1, cutoff, cutoff + 2),
  })
  fc.assert(
    fc.property(facts, surroundings, fc.constantFrom(1, cutoff, cutoff + 1), (change, around, now) => {
      const end = findClaimEnd({ ...task, ...change }, params)
      const hasEnded = around.sunsetAt > 0 && now >= around.sunsetAt
      const isClaimable = end !== null && !around.entriesPaused && !hasEnded && now <= end
      expect(isClaimable ? end : null).toBe(until(change, around, now))
    }),
  )
})
