import { marketParams, markets, type TaskTerms } from '@svc/protocol'
import type { TaskSnapshot } from '@svc/protocol/internal/records'
import { findNextMoment } from '@svc/protocol/internal/steps'
import { zeroAddress, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { formatTaskDetail, type TaskDetailJson } from './taskDetail.ts'

const [poster, worker, registry] = (['11', '22', '33'] as const).map((byte) => `0x${byte.repeat(20)}` as const) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]
const claimedAt = 1_000_000
const claimed: TaskSnapshot = {
  number: 1n,
  poster,
  worker,
  state: 'CLAIMED',
  scope: 'OPEN',
  claimPolicy: 'ANYONE',
  milestones: [{ amount: 5n, duration: 86_400, state: 'OPEN' }],
  current: 0,
  maxRevisions: 0,
  revisions: 0,
  reviewWindow: 86_400,
  arbitrator: null,
  store: null,
  receipted: false,
  underNotice: false,
  total: 5n,
  funded: 5n,
  released: 0n,
  refunded: 0n,
  settlementDigest: zeroHash,
  postedAt: 0,
  postedBlock: 1,
  claimDeadline: claimedAt + 90 * 86_400,
  claimedAt,
  fundedAtClaim: true,
  deadline: 0,
  reviewEnd: 0,
  workerBps: 0,
  ruled: false,
  claimableUntil: 0,
  allowedWorker: null,
}
const terms: TaskTerms = {
  poster,
  amounts: [5n],
  durations: [86_400n],
  reviewWindow: 86_400n,
  maxRevisions: 0,
  arbitrator: zeroAddress,
  store: zeroAddress,
  criteriaHash: zeroHash,
  scope: 0,
  claimPolicy: 0,
  claimDeadline: BigInt(claimed.claimDeadline),
  nonce: 1n,
}

for (const market of markets) {
  const { vetWindow, fundingWindow } = marketParams[market]
  const at = (now: number, task: TaskSnapshot = claimed) =>
    formatTaskDetail(
      { task, terms, text: null, dispute: null, timeline: [] },
      market,
      { taskRegistry: registry, finalCourt: registry },
      now,
    )
  const can = ({ pendingActions }: TaskDetailJson, by: string, action: string) =>
    pendingActions.some((each) => each.by === by && each.action === action)

  test(`${market}: a task that is paid in can be started until the moment it names, by the worker past the vet window`, () => {
    const vet = claimedAt + vetWindow
    const start = claimedAt + fundingWindow
    expect(at(vet).deadlines).toMatchObject({ vet, start, funding: null, milestone: null, review: null })
    expect(can(at(vet), 'poster', 'start-work')).toBe(true)
    expect(can(at(vet), 'worker', 'start-work')).toBe(false)
    expect(at(vet + 1).deadlines).toMatchObject({ vet: null, start })
    expect(can(at(vet + 1), 'worker', 'start-work')).toBe(true)
    expect(can(at(start), 'worker', 'start-work')).toBe(true)
    expect(can(at(start + 1), 'worker', 'start-work')).toBe(false)
  })

  test(`${market}: a task that is not paid in can be funded until the moment it names`, () => {
    const unpaid = { ...claimed, funded: 4n }
    const funding = claimedAt + fundingWindow
    expect(at(funding, unpaid).deadlines).toMatchObject({ funding, start: null })
    expect(can(at(funding, unpaid), 'poster', 'fund-task')).toBe(true)
    expect(can(at(funding + 1, unpaid), 'poster', 'fund-task')).toBe(false)
  })

  test(`${market}: after the funding window a claim has lapsed, and anyone can close it`, () => {
    for (const task of [claimed, { ...claimed, funded: 4n }]) {
      const late = at(claimedAt + fundingWindow + 1, task)
      expect(late.phase).toBe('CLAIM_LAPSED')
      expect(late.pendingActions.filter(({ action }) => action !== 'mutual-cancel')).toEqual([
        { action: 'expire-task', by: 'anyone', until: null },
      ])
    }
  })

  test(`${market}: between two moments nothing changes, and after the last one never again`, () => {
    const deadline = claimedAt + 5 * 86_400
    const claimableUntil = claimed.claimDeadline - marketParams[market].claimCutoff
    const tasks: Partial<TaskSnapshot>[] = [
      { state: 'POSTED', worker: null, claimedAt: 0, claimableUntil },
      { state: 'POSTED', worker: null, claimedAt: 0 },
      { state: 'CLAIMED' },
      { state: 'CLAIMED', funded: 4n },
      { state: 'ACTIVE', deadline },
      { state: 'ACTIVE', deadline, reviewEnd: deadline + 86_400 },
      { state: 'COMPLETED', deadline },
    ]
    for (const task of tasks.map((each) => ({ ...claimed, ...each }))) {
      let now = claimedAt
      for (let moment: number | null = now; moment !== null; now = (moment ?? now) + 1) {
        moment = findNextMoment({ market, number: 1n }, task, null, now)
        const last = moment ?? now + 1_000 * 86_400
        for (const later of [now + 1, Math.floor((now + last) / 2), last]) {
          if (later > now && later <= last) expect(at(later, task)).toEqual(at(now, task))
        }
      }
    }
  })
}
