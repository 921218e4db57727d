import { type Entities, type MarketEvent, readFor, touched } from '@svc/protocol/fold'
import type { Row, RowKey } from './kinds.ts'

/** The rows that events name themselves: what must be known before the rest can be asked for. */
export function namedBy(events: readonly MarketEvent[]): Set<RowKey> {
  const keys = new Set<RowKey>()
  for (const event of events) {
    const read = readFor(event)
    if (read) keys.add(read)
    for (const key of touched(event)) keys.add(key)
    const { poster, worker } = event.args as { poster?: string; worker?: string }
    for (const wallet of [poster, worker]) if (wallet) addWallet(keys, wallet)
  }
  return keys
}

/** The rows that the known ones lead to: the people of a task, the bench of a dispute. */
export function ledToBy(rows: Iterable<readonly [RowKey, Row | null]>): Set<RowKey> {
  const keys = new Set<RowKey>()
  for (const [key, row] of rows) {
    if (!row) continue
    if (key.startsWith('task:')) {
      const { poster, worker } = row as Entities['task']
      addWallet(keys, poster)
      if (worker) addWallet(keys, worker)
    }
    if (key.startsWith('dispute:')) {
      for (const { arbitrator } of (row as Entities['dispute']).bench) keys.add(`arbitrator:${arbitrator}`)
    }
  }
  return keys
}

function addWallet(keys: Set<RowKey>, wallet: string): void {
  keys.add(`agent:${wallet}` as RowKey)
  keys.add(`ledger:${wallet}`)
}
