import * as fc from 'fast-check'
import { type Address, getAddress } from 'viem'
import { expect, test } from 'vitest'
import { runs } from '../../../../test/harness/runs.ts'
import { entityKeys } from './affectedEntities.ts'
import { applyAgent, createAgentRecord } from './agent.ts'
import { foldEvent } from './applyEvent.ts'
import { compareEvents, type EventKind, type MarketEvents } from './event.ts'
import { IncompleteEventError, MissingEntityError } from './eventHandlers.ts'
import { accrueUnion, createUnionRecord } from './union.ts'

const ada = getAddress(`0x${'a'.repeat(40)}`)
const bo = getAddress(`0x${'b'.repeat(40)}`)

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
  const completed = buildEvent('reputationRegistry.CompletionRecorded', { taskId: 1n, poster: ada, worker: bo })
  const args = { taskId: 1n, poster: ada, worker: bo, amount: 5n }
  const paid = buildEvent('reputationRegistry.PaymentRecorded', args, { firstPayment: false })
  expect([completed, paid].reduce(applyAgent, full)).toEqual({ ...full, paid: 2n ** 128n - 1n })
})

test('a penalty from a wallet to itself only reduces the reserve', () => {
  const agent = { ...createAgentRecord(ada), deposit: 100n, reserved: 30n }
  const event = buildEvent('depositVault.Penalised', { taskId: 1n, agent: ada, to: ada, amount: 7n })
  expect(applyAgent(agent, event)).toEqual({ ...agent, reserved: 23n })
})

test('an event without its facts is rejected with a message', () => {
  const event = buildEvent('taskRegistry.TaskCompleted', { taskId: 1n, paid: 5n })
  expect(() => applyAgent(createAgentRecord(ada), event)).toThrow(IncompleteEventError)
  expect(() => applyAgent(createAgentRecord(ada), event)).toThrow(
    'taskRegistry.TaskCompleted in block 9, log 2 has no worker. Call completeEvent first.',
  )
})

test.each([
  buildEvent('taskRegistry.TaskActivated', { taskId: 7n, by: ada, deadline: 5n }),
  buildEvent('taskRegistry.TaskResolved', { taskId: 7n, workerBps: 1n, workerAmount: 1n }),
  buildEvent('arbitration.Ruled', { taskId: 7n, tier: 0n, workerBps: 1n, appealEnd: 1n }),
  buildEvent('arbitration.CaseWithdrawn', { taskId: 7n, conceded: true }),
])('$kind of something that does not exist is rejected', (event) => {
  expect(() => foldEvent(new Map(), event)).toThrow(MissingEntityError)
  expect(() => foldEvent(new Map(), event)).toThrow(' 7, but no earlier event')
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
