import { SvcError } from '@svc/protocol'
import { applyTask, canonicalizeRecord, type FoldedTask, listAffectedEntities } from '@svc/protocol/fold'
import { decodeEventRow, type EventRow } from './events.ts'
import { type AnySql, toPgArray } from './sql.ts'

/** Folds tasks again from their stored events only, without tasks that have no events. */
async function refoldTasks(sql: AnySql, market: number, numbers: readonly string[]): Promise<Map<string, FoldedTask>> {
  const rows = await sql<(EventRow & { task: string })[]>`
    select task, block::integer as block, log_index as "logIndex", contract, encode(topics, 'hex') as topics,
      encode(data, 'hex') as data, encode(tx, 'hex') as tx, "timestamp"::integer as timestamp, facts
    from event where market = ${market} and task = any(${toPgArray(numbers)}::bigint[]) order by task, block, log_index`
  const tasks = new Map<string, FoldedTask>()
  for (const row of rows) {
    const event = decodeEventRow(row)
    if (!listAffectedEntities(event).includes(`task:${BigInt(row.task)}`)) continue
    tasks.set(row.task, applyTask(tasks.get(row.task) ?? null, event))
  }
  return tasks
}

/** Checks that rows restored from the journal equal what the remaining events fold to. Throws if one does not. */
export async function verifyRestoredTasks(
  sql: AnySql,
  market: number,
  restored: ReadonlyMap<string, FoldedTask | null>,
): Promise<void> {
  const refolded = await refoldTasks(sql, market, [...restored.keys()])
  for (const [number, task] of restored) {
    if (canonicalizeRecord(task) !== canonicalizeRecord(refolded.get(number) ?? null)) throw new JournalError(number)
  }
}

/** The journal contradicts the events, so the index must not continue. */
class JournalError extends SvcError {
  override name = 'JournalError'

  constructor(number: string) {
    super(
      'JOURNAL',
      `Task ${number} as restored from the journal differs from what its events fold to. Rebuild the index.`,
    )
  }
}
