import { findAskedJudge } from '@svc/protocol/internal/records'
import type { TaskRecord } from '@svc/protocol/records'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { listRoles, mayRead, mayWrite } from './taskAccess.ts'

const [poster, worker, judge, other] = ['a', 'b', 'c', 'd'].map((digit) => getAddress(`0x${digit.repeat(40)}`)) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]
const task: TaskRecord = {
  number: 7n,
  state: 'DISPUTED',
  poster,
  worker,
  store: null,
  scope: 'OPEN',
  claimPolicy: 'ANYONE',
  milestones: [{ amount: 1n, duration: 3_600, state: 'DELIVERED' }],
  current: 0,
  maxRevisions: 1,
  revisions: 0,
  reviewWindow: 3_600,
  arbitrator: null,
  receipted: false,
  underNotice: false,
  total: 1n,
  funded: 1n,
  released: 0n,
  refunded: 0n,
  settlementDigest: '0x',
  postedAt: 1,
  postedBlock: 1,
  claimDeadline: 1,
  claimedAt: 1,
  fundedAtClaim: true,
  deadline: 1,
  reviewEnd: 0,
  workerBps: 0,
  ruled: false,
}
const open = { phase: 'OPEN', judge: null, named: null, posterProposal: judge, workerProposal: judge } as const

test.each([
  ['both propose it', open, judge],
  ['both signed terms that name it', { ...open, named: judge, posterProposal: null, workerProposal: null }, judge],
  ['one side alone cannot let anybody in', { ...open, workerProposal: null }, null],
  ['they propose different wallets', { ...open, workerProposal: other }, null],
  ['one side now proposes another than the terms name', { ...open, named: judge, workerProposal: other }, null],
  ['it has accepted', { ...open, judge }, null],
  ['the case is with the final court', { ...open, phase: 'COURT' }, null],
] as const)('who is asked to judge: %s', (_, dispute, expected) => {
  expect(findAskedJudge(dispute)).toBe(expected)
})

test('a judge that both sides ask may look before it accepts, and write nothing', () => {
  const facts = { taskId: { market: 'micro' as const, number: 7n }, task, judges: [], askedJudge: judge, now: 0 }
  const roles = listRoles(facts, judge, null)
  expect([mayRead(roles), mayWrite(facts, roles)]).toEqual([true, false])
  expect(listRoles({ ...facts, task: { ...task, state: 'ACTIVE' } }, judge, null)).toEqual([])
  expect(listRoles(facts, other, null)).toEqual([])
})
