import * as fc from 'fast-check'
import { type Address, getAddress } from 'viem'
import { expect, test } from 'vitest'
import { applyAgent, newAgent } from './agent.ts'
import { foldEvent } from './apply.ts'
import { IncompleteEventError, MissingEntityError } from './cases.ts'
import { compareEvents, type EventKind, type MarketEvents } from './event.ts'
import { keys } from './touches.ts'
import { newUnion, unionAt } from './union.ts'

const ada = getAddress(`0x${'a'.repeat(40)}`)
const bo = getAddress(`0x${'b'.repeat(40)}`)

function eventOf<kind extends EventKind>(kind: kind, args: MarketEvents[kind]['args'], facts = {}): MarketEvents[kind] {
  const [contract, name] = kind.split('.')
  return { kind, contract, name, args, facts, block: { number: 9, timestamp: 90 }, logIndex: 2 } as MarketEvents[kind]
}

test('counters and sums of a reputation stop where the registry stops them', () => {
  const full = { ...newAgent(ada), completedAsPoster: 2 ** 32 - 1, paid: 2n ** 128n - 2n }
  const completed = eventOf('reputationRegistry.CompletionRecorded', { taskId: 1n, poster: ada, worker: bo })
  const args = { taskId: 1n, poster: ada, worker: bo, amount: 5n }
  const paid = eventOf('reputationRegistry.PaymentRecorded', args, { firstPayment: false })
  expect([completed, paid].reduce(applyAgent, full)).toEqual({ ...full, paid: 2n ** 128n - 1n })
})

test('a penalty from a wallet to itself only ends the reserve', () => {
  const agent = { ...newAgent(ada), deposit: 100n, reserved: 30n }
  const event = eventOf('depositVault.Penalised', { taskId: 1n, agent: ada, to: ada, amount: 7n })
  expect(applyAgent(agent, event)).toEqual({ ...agent, reserved: 23n })
})

test('an event without its facts is refused, in words', () => {
  const event = eventOf('taskRegistry.TaskCompleted', { taskId: 1n, paid: 5n })
  expect(() => applyAgent(newAgent(ada), event)).toThrow(IncompleteEventError)
  expect(() => applyAgent(newAgent(ada), event)).toThrow(
    'taskRegistry.TaskCompleted in block 9, log 2 comes without worker: run it through completeEvent first.',
  )
})

test.each([
  eventOf('taskRegistry.TaskActivated', { taskId: 7n, by: ada, deadline: 5n }),
  eventOf('taskRegistry.TaskResolved', { taskId: 7n, workerBps: 1n, workerAmount: 1n }),
  eventOf('arbitration.Ruled', { taskId: 7n, tier: 0n, workerBps: 1n, appealEnd: 1n }),
  eventOf('arbitration.CaseWithdrawn', { taskId: 7n, conceded: true }),
])('$kind of something that never began is refused', (event) => {
  expect(() => foldEvent(new Map(), event)).toThrow(MissingEntityError)
  expect(() => foldEvent(new Map(), event)).toThrow('number 7')
})

test('the Union has no past', () => {
  const union = { ...newUnion(), accruedAt: 100 }
  const suite = { creditCap: 1n, creditRate: 1n }
  expect(() => unionAt(union, 99, suite)).toThrow('ask for a later moment')
  expect(unionAt(union, 100, suite)).toEqual(union)
})

test('a pair has one key, the lower address first, whoever pays', () => {
  const wallet = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes): Address => getAddress(`0x${Buffer.from(bytes).toString('hex')}`))
  fc.assert(
    fc.property(wallet, wallet, (one, other) => {
      expect(keys.pair(one, other)).toBe(keys.pair(other, one))
      const [, lower, higher] = keys.pair(one, other).split(':') as [string, Address, Address]
      expect(BigInt(lower)).toBeLessThanOrEqual(BigInt(higher))
    }),
  )
})

test('events are ordered by block, then by log', () => {
  const at = (number: number, logIndex: number) => ({ block: { number, timestamp: 0 }, logIndex })
  const shuffled = [at(2, 0), at(1, 7), at(1, 10), at(1, 2)]
  expect(shuffled.sort(compareEvents)).toEqual([at(1, 2), at(1, 7), at(1, 10), at(2, 0)])
})
