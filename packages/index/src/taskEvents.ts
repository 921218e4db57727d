import type { MarketEvent } from '@svc/protocol/fold'
import { decodeEventRow, type EventRow } from './events.ts'
import { type AnySql, toPlainPgArray } from './sql.ts'

/** A complete event of a task, with the hash of its transaction. */
export interface TaskEvents {
  task: bigint
  /** In order; at most as many as were asked for. */
  events: readonly MarketEvent[]
}

/** Loads the events of tasks up to a block from the build that serves, the first `limit` of each. */
export async function loadTaskEvents(
  sql: AnySql,
  market: number,
  tasks: readonly bigint[],
  { upTo, limit }: { upTo: bigint; limit: number },
): Promise<TaskEvents[]> {
  if (tasks.length === 0) return []
  const rows = await sql<{ task: string; events: EventRow[] }[]>`
    select t.task, (select coalesce(json_agg(json_build_object('block', block, 'logIndex', log_index, 'contract', contract,
        'topics', encode(topics, 'hex'), 'data', encode(data, 'hex'), 'tx', encode(tx, 'hex'), 'timestamp', "timestamp", 'facts', facts)
        order by block, log_index), '[]')
      from (select * from market.event where market = ${market} and task = t.task and block <= ${String(upTo)}::bigint
        order by block, log_index limit ${limit}) e) as events
    from unnest(${toPlainPgArray(tasks)}::bigint[]) as t (task)`
  return rows.map(({ task, events }) => ({
    task: BigInt(task),
    events: events.map((row) => ({ ...decodeEventRow(row), transactionHash: `0x${row.tx}` as const })),
  }))
}
