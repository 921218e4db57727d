import { type FoldedTask, unpackEntity } from '@svc/protocol/fold'
import type { TaskRecord } from '@svc/protocol/records'
import { list } from './list.ts'
import type { AnySql } from './sql.ts'

/** Half of the sample are tasks that changed last, half are any: numbers, each once. */
export async function sampleTasks(sql: AnySql, market: number, size: number): Promise<bigint[]> {
  const half = Math.ceil(size / 2)
  const rows = await sql<{ number: string }[]>`
    select distinct number from (
      (select task as number from (select task from event where market = ${market} and task is not null
        order by block desc, log_index desc limit ${half * 20}) last group by task limit ${half})
      union all
      (select floor(random() * most.number)::bigint + 1 as number
        from (select max(key) as number from task where market = ${market}) most, generate_series(1, ${half})
        where most.number is not null)
    ) sampled`
  return rows.map(({ number }) => BigInt(number))
}

/** These tasks as the index has them. */
export async function indexedTasks(
  sql: AnySql,
  market: number,
  numbers: readonly bigint[],
): Promise<Map<bigint, TaskRecord>> {
  const rows = await sql<{ key: string; state: string }[]>`
    select key, state from task where market = ${market} and key = any(${list(numbers)}::bigint[])`
  return new Map(rows.map(({ key, state }) => [BigInt(key), publicTask(unpackEntity(state) as FoldedTask)]))
}

/** The record alone: what only the fold needs, the contracts do not show. */
export function publicTask({ criteriaHash: _, nonce: __, openDigest: ___, ...record }: FoldedTask): TaskRecord {
  return record
}
