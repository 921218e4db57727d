import type { Address, Hex } from 'viem'
import { expect, test } from 'vitest'
import { findEventBundle, listBundleReferences } from './references.ts'

const at = (digit: string): Address => `0x${digit.repeat(40)}`
const hash = (digit: string): Hex => `0x${digit.repeat(64)}`
const [poster, first, second, judge, court, registry] = ['1', '2', '3', '4', '5', '6'].map(at) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
]
const context = { chainId: 8453, registry, taskId: { market: 'micro', number: 33n }, finalCourt: court } as const

test('each hash of a task has its kind, milestone, revision and author', () => {
  const timeline = [
    { name: 'TaskPosted', args: { poster } },
    { name: 'TaskClaimed', args: { worker: first } },
    { name: 'MilestoneDelivered', args: { milestone: 0n, proofHash: hash('a') } },
    { name: 'RevisionRequested', args: { milestone: 0n, reasonHash: hash('b') } },
    { name: 'WorkerLeft', args: { worker: first } },
    { name: 'TaskClaimed', args: { worker: second } },
    // Requests for changes count for the milestone, not for the worker.
    { name: 'MilestoneDelivered', args: { milestone: 0n, proofHash: hash('c') } },
    { name: 'DeliveryReceipted', args: { milestone: 0n, store: registry } },
    { name: 'MilestoneReleased', args: { milestone: 0n } },
    { name: 'MilestoneDelivered', args: { milestone: 1n, proofHash: hash('d') } },
    { name: 'DisputeOpened', args: { milestone: 1n, opener: poster, evidenceHash: hash('e') } },
    { name: 'EvidenceSubmitted', args: { party: second, evidenceHash: hash('f') } },
    { name: 'Ruled', args: { judge, reasonHash: hash('7') } },
    { name: 'Decided', args: { reasonHash: hash('8') } },
  ]
  const found = listBundleReferences(context, timeline)
  expect(
    found.map(({ hash, kind, milestone, revision, author }) => [hash[2], kind, milestone, revision, author]),
  ).toEqual([
    ['a', 'delivery', 0, 0, first],
    ['b', 'revision', 0, 0, poster],
    ['c', 'delivery', 0, 1, second],
    ['d', 'delivery', 1, 0, second],
    ['e', 'evidence', 1, 0, poster],
    ['f', 'evidence', 1, 0, second],
    ['7', 'ruling', 1, 0, judge],
    ['8', 'ruling', 1, 0, court],
  ])
  // A receipt is for the delivery before it, not for the version that was sent back.
  expect(found.filter(({ hasReceipt }) => hasReceipt).map(({ hash }) => hash[2])).toEqual(['c'])
  for (const { eventIndex, hash, kind } of found) {
    const event = timeline[eventIndex]
    expect(event && findEventBundle(event)).toEqual({ hash, kind })
  }
  expect(timeline.filter((event) => findEventBundle(event))).toHaveLength(found.length)
  expect(found[0]).toMatchObject({ chainId: 8453, registry, taskId: context.taskId })
})

test('a private task names its worker when it is created', () => {
  const timeline = [
    { name: 'TaskCreated', args: { poster, worker: first } },
    { name: 'MilestoneDelivered', args: { milestone: '0', proofHash: hash('a') } },
  ]
  expect(listBundleReferences(context, timeline)).toMatchObject([{ author: first, milestone: 0 }])
})
