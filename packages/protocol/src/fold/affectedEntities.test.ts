import type { Abi } from 'viem'
import { expect, test } from 'vitest'
import { affectedEntities, noEntities } from './affectedEntities.ts'
import { agentHandlers } from './agent.ts'
import { arbitratorHandlers } from './arbitrator.ts'
import { disputeHandlers } from './dispute.ts'
import { type EventKind, marketAbis } from './event.ts'
import { entriesHandlers } from './marketEntries.ts'
import { reserveHandlers } from './reserve.ts'
import { taskHandlers } from './task.ts'
import { unionHandlers } from './union.ts'

const kinds = Object.entries(marketAbis).flatMap(([contract, abi]) =>
  (abi as Abi).flatMap((entry) => (entry.type === 'event' ? [`${contract}.${entry.name}` as EventKind] : [])),
)
const beginnings: EventKind[] = ['taskRegistry.TaskPosted', 'taskRegistry.TaskCreated', 'arbitration.CaseOpened']
const handled = new Set<string>([
  ...beginnings,
  ...[
    taskHandlers,
    disputeHandlers,
    agentHandlers,
    arbitratorHandlers,
    reserveHandlers,
    unionHandlers,
    entriesHandlers,
  ].flatMap((cases) => Object.keys(cases)),
])

test('every event of every contract is listed', () => {
  expect(Object.keys(affectedEntities).sort()).toEqual([...kinds].sort())
})

test.each(kinds)('%s changes an entity, or is listed as changing nothing', (kind) => {
  expect(handled.has(kind)).toBe(affectedEntities[kind] !== noEntities)
})
