import { expect, test } from 'vitest'
import { marketParams } from './params.ts'
import { deriveTaskPhase, type PhaseFacts } from './phase.ts'
import { terminalStates } from './states.ts'

const params = marketParams.standard
const task: PhaseFacts = { state: 'POSTED', claimDeadline: 10_000, deadline: 0, reviewEnd: 0, total: 5n, funded: 0n }
const phase = (facts: Partial<PhaseFacts>, now: number) => deriveTaskPhase({ ...task, ...facts }, params, now)

test('claims close at the cutoff, not at the deadline', () => {
  const cutoff = task.claimDeadline - params.claimCutoff
  expect(phase({}, cutoff)).toBe('OPEN_FOR_CLAIM')
  expect(phase({}, cutoff + 1)).toBe('CLAIM_CLOSED')
})

test('a claimed task waits until it is fully funded', () => {
  expect(phase({ state: 'CLAIMED', funded: 4n }, 0)).toBe('AWAITING_FUNDS')
  expect(phase({ state: 'CLAIMED', funded: 5n }, 0)).toBe('READY_TO_START')
})

test('work and review each have their own deadline', () => {
  const active = { state: 'ACTIVE', deadline: 100 } as const
  expect(phase(active, 100)).toBe('WORKING')
  expect(phase(active, 101)).toBe('OVERDUE')
  expect(phase({ ...active, reviewEnd: 200 }, 200)).toBe('IN_REVIEW')
  expect(phase({ ...active, reviewEnd: 200 }, 201)).toBe('REVIEW_LAPSED')
})

test('disputes and final states have one phase each, and NONE has no phase', () => {
  expect(phase({ state: 'DISPUTED', reviewEnd: 200 }, 300)).toBe('IN_DISPUTE')
  for (const state of terminalStates) expect(phase({ state }, 0)).toBe('SETTLED')
  expect(phase({ state: 'NONE' }, 0)).toBeNull()
})
