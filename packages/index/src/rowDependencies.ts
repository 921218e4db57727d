import type { MarketEvent } from '@svc/protocol/fold'
import { type Entities, findRequiredEntity, listAffectedEntities } from '@svc/protocol/internal/fold'
import type { Row, RowKey } from './tables.ts'

/** Lists the rows that events name directly. They must be loaded first, because they lead to others. */
export function listNamedRows(events: readonly MarketEvent[]): Set<RowKey> {
  const keys = new Set<RowKey>()
  for (const event of events) {
    const read = findRequiredEntity(event)
    if (read) keys.add(read)
    for (const key of listAffectedEntities(event)) keys.add(key)
    const { poster, worker } = event.args as { poster?: string; worker?: string }
    for (const wallet of [poster, worker]) if (wallet) addWallet(keys, wallet)
  }
  return keys
}

/** Lists the rows that loaded rows refer to: poster and worker of a task, the judge of a dispute. */
export function listLinkedRows(rows: Iterable<readonly [RowKey, Row | null]>): Set<RowKey> {
  const keys = new Set<RowKey>()
  for (const [key, row] of rows) {
    if (!row) continue
    if (key.startsWith('task:')) {
      const { poster, worker } = row as Entities['task']
      addWallet(keys, poster)
      if (worker) addWallet(keys, worker)
    }
    if (key.startsWith('dispute:')) {
      const { judge } = row as Entities['dispute']
      if (judge) keys.add(`arbitrator:${judge}`)
    }
  }
  return keys
}

function addWallet(keys: Set<RowKey>, wallet: string): void {
  keys.add(`agent:${wallet}` as RowKey)
  keys.add(`ledger:${wallet}`)
}
