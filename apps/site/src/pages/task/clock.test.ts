import { type TaskPhase, taskPhases } from '@svc/protocol'
import { expect, test } from 'vitest'
import { findClock } from './clock.ts'
import type { Viewer } from './viewer.ts'

type Facts = Parameters<typeof findClock>[0]

const now = 1_000
const idle = { claim: null, funding: null, vet: null, start: null, milestone: null, review: null }
const base: Omit<Facts, 'phase'> = {
  market: 'standard',
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
    const clock = find({ phase, claimableUntil: 900, deadlines: past, reviewEnd: 500 - 48 * 60 * 60 })
    expect(clock?.to ?? null, phase).toBeNull()
  }
  expect(find({ phase: 'SETTLED' })).toBeNull()
})

const dispute: NonNullable<Facts['dispute']> = {
  phase: 'EVIDENCE',
  ending: 'NONE',
  round: 1,
  openedBy: 'poster',
  amountTokWei: '100',
  stakeTokWei: '10',
  offerBps: 0,
  askBps: 10_000,
  posterSpoke: true,
  workerSpoke: true,
  named: null,
  posterProposal: null,
  workerProposal: null,
  judge: '0xJ',
  ruledFor: null,
  appealed: false,
  workerBps: null,
  bundles: [],
  openedAt: 100,
  consentEnd: 800,
  evidenceEnd: 900,
  rulingEnd: 1_500,
  appealEnd: null,
  courtEnd: null,
}

/** A dispute at `now`, the end of its clock, and how its sentence starts. */
const hearings: readonly [string, Partial<typeof dispute>, number | null, string][] = [
  ['whose consent is open', { phase: 'OPEN', consentEnd: 1_200 }, 1_200, 'Both sides can agree on a judge until @1200'],
  ['that nobody took', { phase: 'OPEN' }, null, 'No judge took the case in time.'],
  ['whose evidence is open', { evidenceEnd: 1_100 }, 1_100, 'Both sides can give evidence until @1100'],
  ['with a silent side', { workerSpoke: false }, null, 'One side gave no evidence in time.'],
  ['that waits for its judge', {}, 1_500, 'The judge rules by @1500. If the judge stays silent, it loses 2,000 TOK'],
  ['with a silent judge', { rulingEnd: 950 }, null, 'The judge stayed silent.'],
]

test.each(hearings)('a dispute %s says what comes next', (_, facts, to, label) => {
  const clock = find({ phase: 'IN_DISPUTE', dispute: { ...dispute, ...facts } })
  expect(clock).toEqual({ to, label: expect.stringContaining(label) })
})

test('without a receipt the worker has at least the least time for changes', () => {
  expect(find({ phase: 'RECEIPT_MISSING', reviewEnd: 900 })?.to).toBe(900 + 48 * 60 * 60)
})

test('the review clock says who must respond and who is paid', () => {
  const facts = { phase: 'IN_REVIEW', deadlines: { ...idle, review: 1_500 } } as const
  const label = (viewer: Viewer) => find(facts, viewer)?.label
  expect(label('poster')).toBe("If you don't respond by @1500, the worker is paid automatically.")
  expect(label('worker')).toBe("If the poster doesn't respond by @1500, you are paid automatically.")
  const unsigned = find({ ...facts, store: '0xS' }, 'poster')
  expect(unsigned?.label).toBe(
    "If you don't respond by @1500, nothing is paid yet: the store has not signed for this delivery.",
  )
})
