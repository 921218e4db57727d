import { expect, test } from 'vitest'
import { marketParams } from '../money/params.ts'
import { deriveTaskPhase, findPhaseEnd, type PhaseFacts } from './phase.ts'
import { taskStates, terminalStates } from './states.ts'

const task: PhaseFacts = {
  state: 'POSTED',
  claimableUntil: 10_000,
  claimedAt: 0,
  deadline: 0,
  reviewEnd: 0,
  store: null,
  receipted: false,
  underNotice: false,
  total: 5n,
  funded: 0n,
}
const phase = (facts: Partial<PhaseFacts>, now: number) =>
  deriveTaskPhase({ ...task, ...facts }, marketParams.micro, now)
const { fundingWindow } = marketParams.micro

test('claims are open while the task can be claimed', () => {
  expect(phase({}, task.claimableUntil)).toBe('OPEN_FOR_CLAIM')
  expect(phase({}, task.claimableUntil + 1)).toBe('CLAIM_CLOSED')
  expect(phase({ claimableUntil: 0 }, 5_000)).toBe('CLAIM_CLOSED')
})

test('time alone changes a phase at most once, after its end', () => {
  const times = [0, 50, 100, 101, 200, 201, fundingWindow, fundingWindow + 1, 9_999, 10_000, 10_001, 99_999]
  for (const state of taskStates) {
    for (const reviewEnd of [0, 200]) {
      const facts = { ...task, state, deadline: 100, reviewEnd }
      const end = findPhaseEnd(facts, marketParams.micro) ?? Number.POSITIVE_INFINITY
      for (const now of times) expect(phase(facts, now)).toBe(phase(facts, now <= end ? 0 : end + 1))
    }
  }
})

test('a claimed task waits until it is fully funded', () => {
  expect(phase({ state: 'CLAIMED', funded: 4n }, 0)).toBe('AWAITING_FUNDS')
  expect(phase({ state: 'CLAIMED', funded: 5n }, 0)).toBe('READY_TO_START')
})

test.each([0n, 4n, 5n])(
  'a claim lapses when nobody starts the work in the funding window, with %d of 5 funded',
  (funded) => {
    const claimed = { state: 'CLAIMED', claimedAt: 1_000, funded } as const
    expect(phase(claimed, 1_000 + fundingWindow)).toBe(funded < 5n ? 'AWAITING_FUNDS' : 'READY_TO_START')
    expect(phase(claimed, 1_001 + fundingWindow)).toBe('CLAIM_LAPSED')
  },
)

test('work and review each have their own deadline', () => {
  const active = { state: 'ACTIVE', deadline: 100 } as const
  expect(phase(active, 100)).toBe('WORKING')
  expect(phase({ ...active, underNotice: true }, 100)).toBe('UNDER_NOTICE')
  expect(phase(active, 101)).toBe('OVERDUE')
  expect(phase({ ...active, reviewEnd: 200 }, 200)).toBe('IN_REVIEW')
  expect(phase({ ...active, reviewEnd: 200 }, 201)).toBe('REVIEW_LAPSED')
})

test('a review without the receipt of a named store does not lapse in favour of the worker', () => {
  const stored = { state: 'ACTIVE', deadline: 100, reviewEnd: 200, store: '0x1' } as const
  expect(phase(stored, 200)).toBe('IN_REVIEW')
  expect(phase(stored, 201)).toBe('RECEIPT_MISSING')
  expect(phase({ ...stored, receipted: true }, 201)).toBe('REVIEW_LAPSED')
})

test('disputes and final states have one phase each, and NONE has no phase', () => {
  expect(phase({ state: 'DISPUTED', reviewEnd: 200 }, 300)).toBe('IN_DISPUTE')
  for (const state of terminalStates) expect(phase({ state }, 0)).toBe('SETTLED')
  expect(phase({ state: 'NONE' }, 0)).toBeNull()
})
