import type { Abi } from 'viem'
import { expect, test } from 'vitest'
import { agentCases } from './agent.ts'
import { arbitratorCases } from './arbitrator.ts'
import { disputeCases } from './dispute.ts'
import { type EventKind, marketAbis } from './event.ts'
import { reserveCases } from './ledger.ts'
import { taskCases } from './task.ts'
import { nothing, touches } from './touches.ts'
import { unionCases } from './union.ts'

const kinds = Object.entries(marketAbis).flatMap(([contract, abi]) =>
  (abi as Abi).flatMap((entry) => (entry.type === 'event' ? [`${contract}.${entry.name}` as EventKind] : [])),
)
const beginnings: EventKind[] = ['taskRegistry.TaskPosted', 'taskRegistry.TaskCreated', 'arbitration.CaseOpened']
const handled = new Set<string>([
  ...beginnings,
  ...[taskCases, disputeCases, agentCases, arbitratorCases, reserveCases, unionCases].flatMap((cases) =>
    Object.keys(cases),
  ),
])

test('every event of every contract is listed', () => {
  expect(Object.keys(touches).sort()).toEqual([...kinds].sort())
})

test.each(kinds)('%s changes an entity, or is listed as changing nothing', (kind) => {
  expect(handled.has(kind)).toBe(touches[kind] !== nothing)
})
