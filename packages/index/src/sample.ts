import type { AnySql } from './sql.ts'

/**
 * Half of the sample are tasks that changed last, half are any: numbers, each once. Then there is the number after the last,
 * which nobody may have: an index that lost its newest tasks is found by it.
 */
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
      union all
      (select coalesce(max(key), 0) + 1 as number from task where market = ${market})
    ) sampled`
  return rows.map(({ number }) => BigInt(number))
}
