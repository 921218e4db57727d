import type { Market } from '@svc/protocol'
import { type Entities, type FoldedTask, unpackEntity } from '@svc/protocol/fold'
import type { TaskRecord } from '@svc/protocol/records'
import type { Address } from 'viem'
import { tableOf } from './kinds.ts'
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

/** How many tasks a market has in the index: they are numbered without a gap. */
export async function taskCount(sql: AnySql, market: number): Promise<bigint> {
  const [row] = await sql<{ count: string }[]>`
    select coalesce(max(key), 0) as count from task where market = ${market}`
  return BigInt(row?.count ?? 0)
}

/** A row of the index, by the names of its parts: the fields of the record, and the columns made of them. */
export type TaskParts = Readonly<Record<string, unknown>>

/** These tasks as the index has them: the record, and every column that lists are made of. */
export async function indexedTasks(
  sql: AnySql,
  market: number,
  numbers: readonly bigint[],
): Promise<Map<bigint, TaskParts>> {
  const rows = await sql<({ key: string; state: string } & Record<string, string | null>)[]>`
    select key::text, state, posted::text as "column posted", encode(poster, 'hex') as "column poster",
      encode(worker, 'hex') as "column worker", json as "column json", encode(mark, 'hex') as "column mark"
    from task where market = ${market} and key = any(${list(numbers)}::bigint[])`
  return new Map(
    rows.map(({ key, state, ...columns }) => [
      BigInt(key),
      { ...publicTask(unpackEntity(state) as FoldedTask), ...columns },
    ]),
  )
}

/** What the row of a task must be, if the index is right. */
export function partsOf(task: TaskRecord, market: Market, registry: Address): TaskParts {
  const { columns, valuesOf } = tableOf('task')
  const values = valuesOf('task', String(task.number), task as Entities['task'], { market, registry })
  const made = columns.flatMap(([name, read], index): [string, unknown][] => {
    const value = values[index] ?? null
    // The key is what the row was asked for by; bytes are written as they are read.
    return name === 'key' ? [] : [[`column ${name}`, read === 'hex' ? (value?.toLowerCase() ?? null) : value]]
  })
  return { ...task, ...Object.fromEntries(made) }
}

/** The record alone: what only the fold needs, the contracts do not show. */
export function publicTask({ criteriaHash: _, nonce: __, openDigest: ___, ...record }: FoldedTask): TaskRecord {
  return record
}
