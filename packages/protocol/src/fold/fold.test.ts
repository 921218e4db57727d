import * as fc from 'fast-check'
import { type Address, getAddress, type Hex, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { runs } from '../../../../test/harness/runs.ts'
import type { AgentRecord, ArbitratorRecord, ReserveRecord } from '../records/agent.ts'
import type { DisputeRecord } from '../records/dispute.ts'
import { type EntityKey, entityKeys } from './affectedEntities.ts'
import { applyAgent, createAgentRecord } from './agent.ts'
import { type Entity, foldEvent } from './applyEvent.ts'
import { compareEvents, type EventKind, type MarketEvents } from './event.ts'
import { IncompleteEventError, MissingEntityError } from './eventHandlers.ts'
import type { FoldedTask } from './task.ts'
import { accrueUnion, createUnionRecord } from './union.ts'

const ada = getAddress(`0x${'a'.repeat(40)}`)
const bo = getAddress(`0x${'b'.repeat(40)}`)
const cyd = getAddress(`0x${'c'.repeat(40)}`)
const dan = getAddress(`0x${'d'.repeat(40)}`)
const hash: Hex = `0x${'1'.repeat(64)}`
const opening = { number: 1n, opener: ada, evidenceHash: hash, consentEnd: 95n, evidenceEnd: 99n }

function buildEvent<kind extends EventKind>(
  kind: kind,
  args: MarketEvents[kind]['args'],
  facts = {},
): MarketEvents[kind] {
  const [contract, name] = kind.split('.')
  return { kind, contract, name, args, facts, block: { number: 9, timestamp: 90 }, logIndex: 2 } as MarketEvents[kind]
}

test('reputation counters saturate like in the registry', () => {
  const full = { ...createAgentRecord(ada), completedAsPoster: 2 ** 32 - 1, paid: 2n ** 128n - 2n }
  const parties = { taskId: 1n, poster: ada, worker: bo }
  const completed = buildEvent('reputationRegistry.CompletionRecorded', parties, { firstCompletion: false })
  const paid = buildEvent('reputationRegistry.PaymentRecorded', { ...parties, amount: 5n })
  expect([completed, paid].reduce(applyAgent, full)).toEqual({ ...full, paid: 2n ** 128n - 1n })
})

test('a penalty from a wallet to itself only reduces the reserve', () => {
  const agent = { ...createAgentRecord(ada), deposit: 100n, reserved: 30n }
  const event = buildEvent('depositVault.Penalised', { taskId: 1n, agent: ada, to: ada, amount: 7n })
  expect(applyAgent(agent, event)).toEqual({ ...agent, reserved: 23n })
})

test('a task counts a counterparty once, and only a ruling counts as won', () => {
  const { fold, agent } = startMarket()
  const parties = { taskId: 7n, poster: ada, worker: bo }
  fold('reputationRegistry.PaymentRecorded', { ...parties, amount: 5n })
  expect(agent(ada)).toMatchObject({ paid: 5n, distinctCounterparties: 0 })
  fold('reputationRegistry.CompletionRecorded', parties)
  fold('reputationRegistry.CompletionRecorded', parties)
  expect(agent(bo)).toMatchObject({ earned: 5n, completedAsWorker: 2, distinctCounterparties: 1 })
  fold('reputationRegistry.DisputeRecorded', { taskId: 7n, winner: zeroAddress, loser: ada })
  expect(agent(ada).disputesLost).toBe(1)
  expect(agent(zeroAddress)).toBeUndefined()
})

test('an event without its facts is rejected with a message', () => {
  const event = buildEvent('reputationRegistry.CompletionRecorded', { taskId: 1n, poster: ada, worker: bo })
  expect(() => applyAgent(createAgentRecord(ada), event)).toThrow(IncompleteEventError)
  expect(() => applyAgent(createAgentRecord(ada), event)).toThrow(
    'reputationRegistry.CompletionRecorded in block 9, log 2 has no firstCompletion. Call completeEvent first.',
  )
})

test.each([
  buildEvent('taskRegistry.TaskActivated', { taskId: 7n, by: ada, deadline: 5n }),
  buildEvent('taskRegistry.TaskResolved', { taskId: 7n, workerBps: 1n, workerAmount: 1n, courtShare: 0n }),
  buildEvent('arbitration.CaseOpened', { taskId: 7n, ...opening, shareBps: 0n, stake: 10n }),
  buildEvent('arbitration.Ruled', { taskId: 7n, judge: ada, forWorker: true, reasonHash: hash, appealEnd: 1n }),
  buildEvent('arbitration.ArbitratorSlashed', { taskId: 7n, arbitrator: ada, amount: 1n, bond: 1n }),
])('$kind of something that does not exist is rejected', (event) => {
  expect(() => foldEvent(new Map(), event)).toThrow(MissingEntityError)
  expect(() => foldEvent(new Map(), event)).toThrow(' 7, but no earlier event')
})

/** A market with task 7: two milestones, a named arbitrator and a store, claimed by bo. */
function startMarket() {
  const store = new Map<EntityKey, Entity>()
  const fold = <kind extends EventKind>(kind: kind, args: MarketEvents[kind]['args']) =>
    foldEvent(store, buildEvent(kind, args))
  const terms = {
    poster: ada,
    amounts: [100n, 50n],
    durations: [10n, 10n],
    reviewWindow: 5n,
    maxRevisions: 1,
    arbitrator: cyd,
    store: dan,
    criteriaHash: hash,
    scope: 0,
    claimPolicy: 0,
    claimDeadline: 500n,
    nonce: 3n,
  }
  fold('taskRegistry.TaskPosted', { taskId: 7n, poster: ada, totalAmount: 150n, settlementDigest: hash, terms })
  fold('escrowVault.Funded', { taskId: 7n, from: ada, amount: 150n })
  fold('taskRegistry.TaskClaimed', { taskId: 7n, worker: bo, settlementDigest: hash })
  return {
    fold,
    task: () => store.get('task:7') as FoldedTask,
    dispute: () => store.get('dispute:7') as DisputeRecord,
    judge: () => store.get(`arbitrator:${cyd}`) as ArbitratorRecord,
    reserve: () => store.get(`reserve:7:${bo}`) as ReserveRecord,
    agent: (address: Address) => store.get(`agent:${address}`) as AgentRecord,
  }
}

test('a claim remembers whether the task was funded, until the worker is gone', () => {
  const market = startMarket()
  expect(market.task()).toMatchObject({ store: dan, fundedAtClaim: true, receipted: false })
  market.fold('taskRegistry.WorkerLeft', { taskId: 7n, worker: bo, next: 1 })
  expect(market.task()).toMatchObject({ state: 'POSTED', worker: null, fundedAtClaim: false })
})

test('a receipt restarts the review, and a revision forgets delivery and receipt', () => {
  const { fold, task } = startMarket()
  const delivery = { taskId: 7n, milestone: 0n }
  fold('taskRegistry.TaskActivated', { taskId: 7n, by: ada, deadline: 100n })
  fold('taskRegistry.MilestoneDelivered', { ...delivery, proofHash: hash, reviewEnd: 60n })
  expect(task()).toMatchObject({ reviewEnd: 60, receipted: false, proofHash: hash })
  fold('taskRegistry.DeliveryReceipted', { ...delivery, store: dan, size: 9n, until: 99n, reviewEnd: 70n })
  expect(task()).toMatchObject({ reviewEnd: 70, receipted: true, proofHash: hash })
  fold('taskRegistry.RevisionRequested', { ...delivery, reasonHash: hash, deadline: 200n })
  expect(task()).toMatchObject({ reviewEnd: 0, receipted: false, proofHash: null, revisions: 1 })
})

test('an exit deposit is held per task and wallet; one that cannot be sent waits for its wallet', () => {
  const { fold, reserve, agent } = startMarket()
  fold('escrowVault.ExitDepositLocked', { taskId: 7n, agent: bo, amount: 1_000n })
  expect(reserve()).toEqual({ task: 7n, agent: bo, amount: 0n, exitDeposit: 1_000n })
  fold('escrowVault.ExitDepositReturned', { taskId: 7n, agent: bo, amount: 1_000n, deferred: true })
  expect([reserve().exitDeposit, agent(bo).payouts]).toEqual([0n, 1_000n])
})

test('a dispute knows both shares, its judge and the court; an overturned judge stays on record', () => {
  const { fold, dispute, judge, agent } = startMarket()
  fold('arbitration.CaseOpened', { taskId: 7n, ...opening, shareBps: 2_000n, stake: 10n })
  expect(dispute()).toEqual({
    number: 7n,
    poster: ada,
    worker: bo,
    phase: 'OPEN',
    ending: 'NONE',
    round: 1,
    openedByPoster: true,
    posterSpoke: true,
    workerSpoke: false,
    ruled: false,
    forWorker: false,
    appealed: false,
    // Only terms that both signed name a judge.
    named: null,
    posterProposal: cyd,
    workerProposal: null,
    judge: null,
    offerBps: 2_000,
    askBps: 10_000,
    workerBps: 0,
    amount: 100n,
    stake: 10n,
    openedAt: 90,
    consentEnd: 95,
    evidenceEnd: 99,
    rulingEnd: 0,
    appealEnd: 0,
    courtEnd: 0,
  })
  fold('arbitration.JudgeSeated', { taskId: 7n, judge: cyd, locked: 125n, rulingEnd: 120n })
  fold('arbitration.EvidenceSubmitted', { taskId: 7n, party: bo, evidenceHash: hash, shareBps: 9_000n })
  fold('arbitration.Ruled', { taskId: 7n, judge: cyd, forWorker: true, reasonHash: hash, appealEnd: 150n })
  expect(dispute()).toMatchObject({ phase: 'RULED', judge: cyd, askBps: 9_000, workerSpoke: true, forWorker: true })
  expect(judge()).toMatchObject({ locked: 125n, openCases: 1, resolved: 1 })
  fold('arbitration.Escalated', { taskId: 7n, appellant: ada, fee: 10n })
  fold('arbitration.CourtCalled', { taskId: 7n, courtEnd: 200n })
  fold('arbitration.Decided', { taskId: 7n, forWorker: false, reasonHash: hash })
  fold('arbitration.ArbitratorSlashed', { taskId: 7n, arbitrator: cyd, amount: 7n, bond: 993n })
  fold('arbitration.Paid', { taskId: 7n, to: ada, amount: 7n, deferred: true })
  fold('arbitration.JudgeFreed', { taskId: 7n, judge: cyd, locked: 125n })
  fold('arbitration.CaseClosed', { taskId: 7n, workerBps: 2_000n, ending: 2 })
  expect(dispute()).toMatchObject({ phase: 'CLOSED', ending: 'DECIDED', judge: cyd, workerBps: 2_000, stake: 0n })
  expect(judge()).toMatchObject({ bond: 993n, locked: 0n, openCases: 0, timedOut: 0, overturned: 1, slashed: 7n })
  expect(agent(ada).awards).toBe(7n)
})

test('a silent judge is removed, and the next dispute of the task starts from nothing', () => {
  const { fold, dispute, judge } = startMarket()
  fold('arbitration.CaseOpened', { taskId: 7n, ...opening, opener: bo, shareBps: 8_000n, stake: 0n })
  expect(dispute()).toMatchObject({ openedByPoster: false, workerSpoke: true, offerBps: 0, askBps: 8_000 })
  fold('arbitration.JudgeSeated', { taskId: 7n, judge: cyd, locked: 125n, rulingEnd: 120n })
  fold('arbitration.JudgeFreed', { taskId: 7n, judge: cyd, locked: 125n })
  fold('arbitration.CourtCalled', { taskId: 7n, courtEnd: 200n })
  fold('arbitration.ArbitratorSlashed', { taskId: 7n, arbitrator: cyd, amount: 10n, bond: 990n })
  expect(dispute()).toMatchObject({ phase: 'COURT', judge: null, rulingEnd: 0, courtEnd: 200 })
  expect(judge()).toMatchObject({ timedOut: 1, overturned: 0, openCases: 0 })
  fold('arbitration.CaseClosed', { taskId: 7n, workerBps: 10_000n, ending: 5 })
  fold('arbitration.CaseOpened', { taskId: 7n, ...opening, number: 2n, shareBps: 0n, stake: 5n })
  expect(dispute()).toMatchObject({ phase: 'OPEN', ending: 'NONE', round: 2, courtEnd: 0, offerBps: 0 })
})

test('a judge that steps down leaves the case open for another, and loses nothing', () => {
  const { fold, dispute, judge } = startMarket()
  fold('arbitration.CaseOpened', { taskId: 7n, ...opening, shareBps: 0n, stake: 0n })
  fold('arbitration.JudgeSeated', { taskId: 7n, judge: cyd, locked: 125n, rulingEnd: 120n })
  fold('arbitration.JudgeSteppedDown', { taskId: 7n, judge: cyd })
  fold('arbitration.JudgeFreed', { taskId: 7n, judge: cyd, locked: 125n })
  expect(dispute()).toMatchObject({ phase: 'OPEN', judge: null, rulingEnd: 0, posterProposal: cyd })
  expect(judge()).toMatchObject({ locked: 0n, openCases: 0, resolved: 0, timedOut: 0, overturned: 0, slashed: 0n })
})

test('after a notice the milestone that is paid is the last one', () => {
  const { fold, task } = startMarket()
  fold('taskRegistry.TaskActivated', { taskId: 7n, by: ada, deadline: 100n })
  fold('taskRegistry.NoticeGiven', { taskId: 7n, worker: bo, deadline: 95n })
  expect(task()).toMatchObject({ state: 'ACTIVE', underNotice: true, deadline: 95 })
  fold('taskRegistry.MilestoneReleased', { taskId: 7n, milestone: 0n, amount: 100n, lapsed: false, deadline: 0n })
  fold('taskRegistry.TaskCompleted', { taskId: 7n, paid: 100n })
  expect(task().milestones.map(({ state }) => state)).toEqual(['PAID', 'REFUNDED'])
})

test('whom a poster allows may claim once', () => {
  const { fold, task } = startMarket()
  fold('taskRegistry.WorkerLeft', { taskId: 7n, worker: bo, next: 1 })
  fold('taskRegistry.WorkerAllowed', { taskId: 7n, worker: dan })
  expect(task().allowedWorker).toBe(dan)
  fold('taskRegistry.WorkerAllowed', { taskId: 7n, worker: zeroAddress })
  expect(task().allowedWorker).toBeNull()
  fold('taskRegistry.WorkerAllowed', { taskId: 7n, worker: dan })
  fold('taskRegistry.TaskClaimed', { taskId: 7n, worker: dan, settlementDigest: hash })
  expect(task()).toMatchObject({ worker: dan, allowedWorker: null })
})

test('the Union cannot be accrued into the past', () => {
  const union = { ...createUnionRecord(), accruedAt: 100 }
  const suite = { creditCap: 1n, creditRate: 1n }
  expect(() => accrueUnion(union, 99, suite)).toThrow('Use a later timestamp')
  expect(accrueUnion(union, 100, suite)).toEqual(union)
})

test('a pair has one key, with the lower address first', () => {
  const wallet = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes): Address => getAddress(`0x${Buffer.from(bytes).toString('hex')}`))
  fc.assert(
    fc.property(wallet, wallet, (one, other) => {
      expect(entityKeys.pair(one, other)).toBe(entityKeys.pair(other, one))
      const [, lower, higher] = entityKeys.pair(one, other).split(':') as [string, Address, Address]
      expect(BigInt(lower)).toBeLessThanOrEqual(BigInt(higher))
    }),
    { numRuns: runs(100) },
  )
})

test('events are ordered by block, then by log', () => {
  const at = (number: number, logIndex: number) => ({ block: { number, timestamp: 0 }, logIndex })
  const shuffled = [at(2, 0), at(1, 7), at(1, 10), at(1, 2)]
  expect(shuffled.sort(compareEvents)).toEqual([at(1, 2), at(1, 7), at(1, 10), at(2, 0)])
})
