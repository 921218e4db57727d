import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exitPenalty, taskReserve } from './amounts.ts'
import { type ClaimFacts, computeClaimableUntil, findClaimCondition } from './claimable.ts'
import { marketParams } from './params.ts'
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
  total: 5n,
  funded: 5n,
  posterReserve: taskReserve,
}
const open = { entriesPaused: false, sunsetAt: 0, posterFree: 0n }
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

test('a claim needs a poster who can fill the reserve, funded or not', () => {
  const half = { posterReserve: 2n * exitPenalty }
  const lacks = taskReserve - 2n * exitPenalty
  for (const funded of [0n, 4n, 5n]) {
    expect(until({ ...half, funded }, { ...open, posterFree: lacks })).toBe(cutoff)
    expect(until({ ...half, funded }, { ...open, posterFree: lacks - 1n })).toBeNull()
    expect(until({ funded })).toBe(cutoff)
  }
})

test('the condition that stores check says the same as the lifecycle table', () => {
  const near = (value: bigint) => fc.constantFrom(0n, value - 1n, value, value + 1n)
  const facts = fc.record({
    state: fc.constantFrom(...taskStates),
    claimPolicy: fc.constantFrom(...claimPolicies),
    funded: fc.constantFrom(0n, 4n, 5n),
    posterReserve: fc.oneof(near(taskReserve), near(2n * exitPenalty)),
  })
  const surroundings = fc.record({
    entriesPaused: fc.boolean(),
    sunsetAt: fc.constantFrom(0, 1, cutoff, cutoff + 2),
    posterFree: fc.oneof(near(taskReserve), near(taskReserve - 2n * exitPenalty)),
  })
  fc.assert(
    fc.property(facts, surroundings, fc.constantFrom(1, cutoff, cutoff + 1), (change, around, now) => {
      const condition = findClaimCondition({ ...task, ...change }, params)
      const hasEnded = around.sunsetAt > 0 && now >= around.sunsetAt
      const isClaimable =
        condition &&
        !around.entriesPaused &&
        !hasEnded &&
        now <= condition.until &&
        around.posterFree >= condition.posterFree
      expect(isClaimable ? condition.until : null).toBe(until(change, around, now))
    }),
  )
})
