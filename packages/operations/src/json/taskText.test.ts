import { taskStates } from '@svc/protocol'
import type { TaskSnapshot } from '@svc/protocol/internal/records'
import { zeroAddress, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { formatTask } from './task.ts'
import { serializeTaskPage } from './taskText.ts'

const task: TaskSnapshot = {
  number: 1n,
  poster: zeroAddress,
  worker: null,
  state: 'POSTED',
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
  postedAt: 1,
  postedBlock: 1,
  claimDeadline: 5_000,
  claimedAt: 0,
  fundedAtClaim: false,
  deadline: 2_000,
  reviewEnd: 0,
  workerBps: 0,
  ruled: false,
  claimableUntil: 0,
  allowedWorker: null,
}
const serialize = (each: TaskSnapshot, now: number) => serializeTaskPage([each], 'micro', zeroAddress, now)

const cases = taskStates
  .filter((state) => state !== 'NONE')
  .flatMap((state) => [
    { ...task, state },
    { ...task, state, reviewEnd: 3_000 },
    ...(state === 'POSTED' ? [{ ...task, state, claimableUntil: 4_000 }] : []),
  ])

test.each(cases)('the parts of a task in $state add up to its JSON, before and after its phase ends', (each) => {
  for (const now of [1_000, 2_000, 2_001, 3_000, 3_001, 4_000, 4_001, 7_200, 7_201]) {
    const json = formatTask(each, 'micro', zeroAddress, now)
    expect(serialize(each, now).text).toBe(JSON.stringify(json))
    expect(json.claimableUntil).toBe(each.claimableUntil && now <= 4_000 ? 4_000 : null)
  }
})

test('the fingerprint changes when the phase does, and the page is valid until then', () => {
  const working: TaskSnapshot = { ...task, state: 'ACTIVE' }
  expect(serialize(working, 1_000)).toEqual(serialize(working, 2_000))
  expect(serialize(working, 2_000)).toMatchObject({ validUntil: 2_000 })
  expect(serialize(working, 2_001)).toMatchObject({ validUntil: null })
  expect(serialize(working, 2_001).marks).not.toEqual(serialize(working, 2_000).marks)
})
