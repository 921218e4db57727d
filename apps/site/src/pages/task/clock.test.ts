import { type TaskPhase, taskPhases } from '@svc/protocol'
import { expect, test } from 'vitest'
import { findClock } from './clock.ts'
import type { Viewer } from './viewer.ts'

type Facts = Parameters<typeof findClock>[0]

const now = 1_000
const idle = { claim: null, funding: null, vet: null, start: null, milestone: null, review: null }
const base: Omit<Facts, 'phase'> = {
  claimableUntil: null,
  deadlines: idle,
  currentMilestone: 0,
  store: null,
  receipted: false,
  reviewEnd: null,
  reviewWindowSeconds: 100,
  dispute: null,
}
const find = (facts: Partial<Facts> & { phase: TaskPhase }, viewer: Viewer = 'visitor') =>
  findClock({ ...base, ...facts }, viewer, now, (at) => `@${at}`)

test('no clock runs for a phase whose time is over, or for a task that has ended', () => {
  const past = { funding: 900, vet: 900, start: 900, milestone: 900, review: 900, claim: 900 }
  for (const phase of taskPhases) {
    const clock = find({ phase, claimableUntil: 900, deadlines: past, reviewEnd: 500 })
    expect(clock?.to ?? null, phase).toBeNull()
  }
  expect(find({ phase: 'SETTLED' })).toBeNull()
})

test('the review clock says who must respond and who is paid', () => {
  const facts = { phase: 'IN_REVIEW', deadlines: { ...idle, review: 1_500 } } as const
  const says = (viewer: Viewer) => find(facts, viewer)?.says
  expect(says('poster')).toBe("If you don't respond by @1500, the worker is paid automatically.")
  expect(says('worker')).toBe("If the poster doesn't respond by @1500, you are paid automatically.")
  const unsigned = find({ ...facts, store: '0xS' }, 'poster')
  expect(unsigned?.says).toBe(
    "If you don't respond by @1500, nothing is paid yet: the store has not signed for this delivery.",
  )
})
