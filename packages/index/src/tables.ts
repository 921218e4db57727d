import { serializeTask } from '@svc/operations/taskText'
import { type Market, marketParams } from '@svc/protocol'
import type { Entity, EntityKey } from '@svc/protocol/fold'
import type { Entities } from '@svc/protocol/internal/fold'
import type { Ledger } from '@svc/protocol/internal/money'
import { findClaimEnd } from '@svc/protocol/internal/tasks'
import { computeReputationScore } from '@svc/protocol/records'
import type { Address } from 'viem'

/** The key of a row: of an entity of the fold, or of a wallet's ledger. */
export type RowKey = EntityKey | `ledger:${string}`
export type Row = Entity | Ledger

/** The market and registry that rows belong to. Serialized tasks contain both. */
export interface Owner {
  market: Market
  registry: Address
}

/** The table of a kind of rows, and the columns it has besides the state. */
export interface Table {
  name: 'task' | 'agent' | 'arbitrator' | 'entity'
  /**
   * Columns and how to read them from text: a cast, `hex` digits, `json`, or `open json`, an object without its closing brace.
   * The key columns come first.
   */
  columns: readonly (readonly [name: string, read: string])[]
  toValues: (kind: string, key: string, row: Row, owner: Owner) => readonly (string | null)[]
}

const hex = (address: string) => address.slice(2)

const task: Table = {
  name: 'task',
  columns: [
    ['key', '::bigint'],
    ['poster', 'hex'],
    ['worker', 'hex'],
    ['json', 'open json'],
    ['mark', 'hex'],
    ['phase_end', '::bigint'],
    ['early', ''],
    ['late', ''],
    ['posted', '::boolean'],
  ],
  toValues: (_, key, row, { market, registry }) => {
    const each = row as Entities['task']
    const end = findClaimEnd(each, marketParams[market])
    const { head, mark, phaseEnd, early, late } = serializeTask({ ...each, claimableUntil: end ?? 0 }, market, registry)
    const worker = each.worker && hex(each.worker)
    const posted = String(end !== null)
    return [key, hex(each.poster), worker, head, mark, phaseEnd === null ? null : String(phaseEnd), early, late, posted]
  },
}

const agent: Table = {
  name: 'agent',
  columns: [
    ['key', 'hex'],
    ['score', '::integer'],
    ['ranked', '::boolean'],
  ],
  toValues: (_, key, row) => {
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
    const isRanked = counted > 0 || earned + paid > 0n
    return [hex(key), String(computeReputationScore(each)), String(isRanked)]
  },
}

const arbitrator: Table = {
  name: 'arbitrator',
  columns: [
    ['key', 'hex'],
    ['bond', '::numeric'],
  ],
  toValues: (_, key, row) => [hex(key), String((row as Entities['arbitrator']).bond)],
}

const entity: Table = {
  name: 'entity',
  columns: [
    ['kind', ''],
    ['key', ''],
  ],
  toValues: (kind, key) => [kind, key],
}

/** Returns the table that stores a kind of rows. */
export function getTable(kind: string): Table {
  if (kind === 'task') return task
  if (kind === 'agent') return agent
  return kind === 'arbitrator' ? arbitrator : entity
}

/** Splits a row key: `task:7` has kind `task` and key `7`; `union` has no key. */
export function parseRowKey(key: RowKey): [kind: string, key: string] {
  const colon = key.indexOf(':')
  return colon < 0 ? [key, ''] : [key.slice(0, colon), key.slice(colon + 1)]
}

/** Joins what `parseRowKey` splits. */
export function formatRowKey(kind: string, key: string): RowKey {
  return (key === '' ? kind : `${kind}:${key}`) as RowKey
}
