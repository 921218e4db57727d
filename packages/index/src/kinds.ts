import { taskTextOf } from '@svc/chain'
import type { Market } from '@svc/protocol'
import type { Entities, Entity, EntityKey } from '@svc/protocol/fold'
import { type Ledger, reputationScore } from '@svc/protocol/records'
import type { Address } from 'viem'

/** A row of the index: an entity of the fold, or a wallet's ledger, which is kept beside them. */
export type RowKey = EntityKey | `ledger:${string}`
export type Row = Entity | Ledger

/** Whose rows they are: what every task on the wire names beside its own. */
export interface Owner {
  market: Market
  registry: Address
}

/** The table of a kind of rows, and what of a row stands in columns of its own, as text. */
export interface Table {
  name: 'task' | 'agent' | 'arbitrator' | 'entity'
  /** Column, and how its text is read: the first are the key. */
  columns: readonly (readonly [name: string, read: string])[]
  valuesOf: (kind: string, key: string, row: Row, owner: Owner) => readonly (string | null)[]
}

const hex = (address: string) => address.slice(2)

const task: Table = {
  name: 'task',
  columns: [
    ['key', '::bigint'],
    ['posted', '::boolean'],
    ['poster', 'hex'],
    ['worker', 'hex'],
    ['json', 'json'],
    ['mark', 'hex'],
  ],
  valuesOf: (_, key, row, { market, registry }) => {
    const { state, poster, worker } = row as Entities['task']
    const { text, mark } = taskTextOf(row as Entities['task'], market, registry)
    return [key, String(state === 'POSTED'), hex(poster), worker && hex(worker), text, mark]
  },
}

const agent: Table = {
  name: 'agent',
  columns: [
    ['key', 'hex'],
    ['score', '::integer'],
    ['ranked', '::boolean'],
  ],
  valuesOf: (_, key, row) => {
    const each = row as Entities['agent']
    const {
      completedAsPoster,
      completedAsWorker,
      disputesWon,
      disputesLost,
      leaves,
      dismissals,
      lapses,
      earned,
      paid,
    } = each
    const counted = completedAsPoster + completedAsWorker + disputesWon + disputesLost + leaves + dismissals + lapses
    return [hex(key), String(reputationScore(each)), String(counted > 0 || earned + paid > 0n)]
  },
}

const arbitrator: Table = {
  name: 'arbitrator',
  columns: [
    ['key', 'hex'],
    ['bond', '::numeric'],
  ],
  valuesOf: (_, key, row) => [hex(key), String((row as Entities['arbitrator']).bond)],
}

const entity: Table = {
  name: 'entity',
  columns: [
    ['kind', ''],
    ['key', ''],
  ],
  valuesOf: (kind, key) => [kind, key],
}

/** Where a kind of rows is kept. */
export function tableOf(kind: string): Table {
  if (kind === 'task') return task
  if (kind === 'agent') return agent
  return kind === 'arbitrator' ? arbitrator : entity
}

/** `task:7` is kind `task`, key `7`; `union` has no key. */
export function splitKey(key: RowKey): [kind: string, key: string] {
  const colon = key.indexOf(':')
  return colon < 0 ? [key, ''] : [key.slice(0, colon), key.slice(colon + 1)]
}
