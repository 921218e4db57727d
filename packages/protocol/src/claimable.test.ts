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
  claimDeadline: cutoff + params.claimCutoff,
  deadline: 0,
  reviewEnd: 0,
  total: 5n,
  funded: 5n,
  posterReserve: taskReserve,
}
const open = { entriesPaused: false, posterFree: 0n }
const until = (change: Partial<ClaimFacts>, surroundings = open, now = cutoff) =>
  computeClaimableUntil({ ...task, ...change }, params, surroundings, now)

test('a task can be claimed up to the cutoff before its claim deadline, with or without a permit', () => {
  expect(until({})).toBe(cutoff)
  expect(until({ claimPolicy: 'PERMIT' })).toBe(cutoff)
  expect(until({}, open, cutoff + 1)).toBeNull()
})

test('only a posted task can be claimed, and only while entries are not paused', () => {
  for (const state of taskStates) if (state !== 'POSTED') expect(until({ state })).toBeNull()
  expect(until({}, { ...open, entriesPaused: true })).toBeNull()
})

test('a funded task needs a poster who can fill the reserve, an unfunded one what is left of it', () => {
  const half = { posterReserve: 2n * exitPenalty }
  const lacks = taskReserve - 2n * exitPenalty
  expect(until(half, { ...open, posterFree: lacks })).toBe(cutoff)
  expect(until(half, { ...open, posterFree: lacks - 1n })).toBeNull()
  expect(until({ ...half, funded: 4n })).toBe(cutoff)
  expect(until({ posterReserve: 2n * exitPenalty - 1n, funded: 4n })).toBeNull()
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
    posterFree: fc.oneof(near(taskReserve), near(taskReserve - 2n * exitPenalty)),
  })
  fc.assert(
    fc.property(facts, surroundings, fc.constantFrom(1, cutoff, cutoff + 1), (change, around, now) => {
      const condition = findClaimCondition({ ...task, ...change }, params)
      const isClaimable =
        condition && !around.entriesPaused && now <= condition.until && around.posterFree >= condition.posterFree
      expect(isClaimable ? condition.until : null).toBe(until(change, around, now))
    }),
  )
})
