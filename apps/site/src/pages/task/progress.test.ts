import { type TaskPhase, taskPhases } from '@svc/protocol'
import { expect, test } from 'vitest'
import { getProgress } from './progress.ts'

type Facts = Parameters<typeof getProgress>[0]

const build = (
  phase: TaskPhase,
  state: Facts['state'],
  events: readonly string[] = [],
  scope: Facts['scope'] = 'OPEN',
) => ({ phase, state, scope, timeline: events.map((event) => ({ event })) }) satisfies Facts

/** The step that is marked, or the last one if all are done. */
const show = (facts: Facts): string => {
  const { steps, at } = getProgress(facts)
  return at >= steps.length ? `${steps.join(' > ')} (all done)` : `${steps.slice(0, at + 1).join(' > ')}`
}

const running: Readonly<Record<Exclude<TaskPhase, 'SETTLED'>, readonly [Facts['state'], string]>> = {
  OPEN_FOR_CLAIM: ['POSTED', 'Open'],
  CLAIM_CLOSED: ['POSTED', 'Open > Claims closed'],
  AWAITING_FUNDS: ['CLAIMED', 'Open > Starting'],
  READY_TO_START: ['CLAIMED', 'Open > Starting'],
  CLAIM_LAPSED: ['CLAIMED', 'Open > Starting > Claim lapsed'],
  WORKING: ['ACTIVE', 'Open > Starting > Working'],
  UNDER_NOTICE: ['ACTIVE', 'Open > Starting > Working'],
  IN_REVIEW: ['ACTIVE', 'Open > Starting > Working > In review'],
  REVIEW_LAPSED: ['ACTIVE', 'Open > Starting > Working > In review'],
  RECEIPT_MISSING: ['ACTIVE', 'Open > Starting > Working > In review'],
  OVERDUE: ['ACTIVE', 'Open > Starting > Working > Overdue'],
  IN_DISPUTE: ['DISPUTED', 'Open > Starting > Working > Dispute'],
}

test.each(taskPhases.filter((phase) => phase !== 'SETTLED'))('%s stands at its step', (phase) => {
  const [state, expected] = running[phase]
  expect(show(build(phase, state))).toBe(expected)
})

const ends = [
  ['COMPLETED', ['TaskClaimed', 'TaskActivated'], 'Open > Starting > Working > In review > Paid (all done)'],
  ['RESOLVED', ['TaskClaimed', 'TaskActivated'], 'Open > Starting > Working > Dispute > Decided (all done)'],
  ['CANCELLED', ['TaskPosted'], 'Open > Cancelled'],
  ['CANCELLED', ['TaskClaimed', 'WorkerLeft'], 'Open > Cancelled'],
  ['CANCELLED', ['TaskClaimed', 'TaskActivated', 'WorkerLeft'], 'Open > Starting > Working > Cancelled'],
  ['EXPIRED', ['TaskPosted'], 'Open > Expired'],
  ['EXPIRED', ['TaskClaimed'], 'Open > Starting > Expired'],
  ['EXPIRED', ['TaskClaimed', 'TaskActivated'], 'Open > Starting > Working > Expired'],
] as const

test.each(ends)('a task that is %s after %j shows how it ended', (state, events, expected) => {
  expect(show(build('SETTLED', state, events))).toBe(expected)
})

test('a private task begins with its worker', () => {
  expect(show(build('AWAITING_FUNDS', 'CLAIMED', [], 'PRIVATE'))).toBe('Starting')
  expect(show(build('IN_REVIEW', 'ACTIVE', [], 'PRIVATE'))).toBe('Starting > Working > In review')
  expect(show(build('SETTLED', 'EXPIRED', ['TaskCreated'], 'PRIVATE'))).toBe('Starting > Expired')
})
