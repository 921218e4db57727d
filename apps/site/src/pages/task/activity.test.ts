import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { describeActivity } from './activity.ts'

const [poster, worker, judge] = ['0xP', '0xW', '0xJ']
const tok = (amount: number) => String(BigInt(amount) * 10n ** 18n)
const format = { tok: (wei: bigint) => `${wei / 10n ** 18n} TOK`, address: (address: string) => address }

type Happened = readonly (readonly [event: string, args?: Record<string, unknown>])[]

/** Tells transactions, each given by its events, the oldest first. */
function tellAll(...transactions: readonly Happened[]): string[] {
  const timeline = transactions.flatMap((events, index) =>
    events.map(([event, args = {}], logIndex) => ({
      event,
      args,
      contract: 'taskRegistry',
      bundle: null,
      blockNumber: index,
      logIndex,
      timestamp: index,
      transactionHash: `0x${index}`,
    })),
  )
  return describeActivity({ poster, timeline }, format)
    .map(({ who, summary }) => (who ? `${who} ${summary}` : summary))
    .reverse()
}

test('a life with a change request is described in one sentence per transaction', () => {
  const delivered: Happened = [['MilestoneDelivered', { milestone: '0', proofHash: '0x1' }]]
  expect(
    tellAll(
      [['TaskTextPublished'], ['TaskFunded', { from: poster, amount: tok(700) }], ['TaskPosted', { poster }]],
      [['Reserved'], ['TaskClaimed', { worker }]],
      [['TaskActivated', { by: poster }]],
      delivered,
      [['RevisionRequested', { milestone: '0' }]],
      delivered,
      [['Released'], ['MilestoneReleased', { milestone: '0', amount: tok(300), lapsed: false }]],
      [
        ['MilestoneReleased', { milestone: '1', amount: tok(400), lapsed: true }],
        ['TaskCompleted', { paid: '0' }],
      ],
    ),
  ).toEqual([
    '0xP posted the task, 700 TOK locked',
    '0xW claimed the task',
    '0xP started the work',
    '0xW delivered milestone 1',
    '0xP asked for changes to milestone 1',
    '0xW delivered version 2 of milestone 1',
    '0xP approved milestone 1, 300 TOK paid',
    'The review time ran out: milestone 2 was paid, 400 TOK',
  ])
})

test('a dispute is described by the shares that both sides name and its outcome', () => {
  expect(
    tellAll(
      [
        ['CaseOpened', { shareBps: '2000' }],
        ['DisputeOpened', { milestone: '0', opener: poster }],
      ],
      [['EvidenceSubmitted', { party: worker, shareBps: '8000' }]],
      [['ArbitratorProposed', { party: poster, arbitrator: judge }]],
      [['JudgeSeated', { judge }]],
      [['JudgeSteppedDown', { judge }], ['JudgeFreed']],
      [['JudgeSeated', { judge }]],
      [['Ruled', { judge, forWorker: false }]],
      [['Escalated', { appellant: worker }], ['CourtCalled']],
      [
        ['Decided', { forWorker: true }],
        ['TaskResolved', { workerBps: '8000', workerAmount: tok(80) }],
      ],
    ),
  ).toEqual([
    '0xP opened a dispute about milestone 1, offering the worker 20 %',
    '0xW gave evidence and asks for 80 %',
    '0xP proposed 0xJ as the judge',
    '0xJ took the case as the judge',
    '0xJ gave the case back',
    '0xJ took the case as the judge',
    '0xJ ruled for the poster',
    '0xW appealed to the final court',
    'The final court decided for the worker; the worker got 80 TOK',
  ])
})

test('a claim that ends is described by what became of the task', () => {
  expect(
    tellAll(
      [['WorkerAllowed', { worker }]],
      [['WorkerAllowed', { worker: zeroAddress }]],
      [['TaskClaimed', { worker }]],
      [['WorkerDismissed', { worker }]],
      [['TaskExpired', { previous: 2, next: 1 }]],
      [['TaskExpired', { previous: 1, next: 6 }]],
      [['NoticeGiven', { worker }], ['ExitDepositSpent']],
      [['Withdrawn']],
    ),
  ).toEqual([
    '0xP chose 0xW, who may claim the task',
    '0xP took back the choice of a worker',
    '0xW claimed the task',
    '0xP removed the worker 0xW',
    'The claim lapsed, and the task is open again',
    'The task expired',
    '0xP ended the work; the worker may still deliver what is there',
    'Withdrawn',
  ])
})
