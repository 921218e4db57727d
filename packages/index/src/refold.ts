import { applyTask, type FoldedTask, spell, touched } from '@svc/protocol/fold'
import { type EventRow, eventOf } from './events.ts'
import { list } from './list.ts'
import type { AnySql } from './sql.ts'

/** Folds tasks again from nothing but the events that are kept of them; those without events are missing. */
async function refoldTasks(sql: AnySql, market: number, numbers: readonly string[]): Promise<Map<string, FoldedTask>> {
  const rows = await sql<(EventRow & { task: string })[]>`
    select task, block::integer as block, log_index as "logIndex", contract, encode(topics, 'hex') as topics,
      encode(data, 'hex') as data, encode(tx, 'hex') as tx, "timestamp"::integer as timestamp, facts
    from event where market = ${market} and task = any(${list(numbers)}::bigint[]) order by task, block, log_index`
  const tasks = new Map<string, FoldedTask>()
  for (const row of rows) {
    const event = eventOf(row)
    if (!touched(event).includes(`task:${BigInt(row.task)}`)) continue
    tasks.set(row.task, applyTask(tasks.get(row.task) ?? null, event))
  }
  return tasks
}

/** Demands that rows put back from the journal are what the remaining events fold to. */
export async function checkRestored(
  sql: AnySql,
  market: number,
  restored: ReadonlyMap<string, FoldedTask | null>,
): Promise<void> {
  const refolded = await refoldTasks(sql, market, [...restored.keys()])
  for (const [number, task] of restored) {
    if (spell(task) !== spell(refolded.get(number) ?? null)) throw new JournalError(number)
  }
}

/** The journal and the events disagree: the index must not go on. */
class JournalError extends Error {
  override name = 'JournalError'

  constructor(number: string) {
    super(`Task ${number} was put back as something else than its events make it.`)
  }
}
