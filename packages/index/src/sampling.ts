import { getAddress } from 'viem'
import type { AnySql } from './sql.ts'
import { parseRowKey, type RowKey } from './tables.ts'

/** The tables that the walk visits row by row. */
const walked = ['task', 'agent', 'arbitrator'] as const

/** The progress of a walk through all rows of a market. */
export interface Walk {
  /** The last visited key of each table in this round: empty before the first, null at the end. */
  at: Readonly<Record<(typeof walked)[number], string | null>>
  /** Rows visited in this round, and how many there are. */
  passed: number
  of: number
  /** Completed rounds. Each visited every row. */
  rounds: number
}

/** The walk before its first step. */
export const initialWalk: Walk = { at: { task: '', agent: '', arbitrator: '' }, passed: 0, of: 0, rounds: 0 }

/** Returns the next rows of each table, at most `size` each, and the walk after them. */
export async function advanceWalk(
  sql: AnySql,
  market: number,
  { at, passed, rounds }: Walk,
  size: number,
): Promise<{ keys: RowKey[]; walk: Walk }> {
  const pages = {
    task: at.task === null ? [] : await nextTasks(sql, market, BigInt(at.task), size),
    agent: at.agent === null ? [] : await nextWallets(sql, market, 'agent', at.agent, size),
    arbitrator: at.arbitrator === null ? [] : await nextWallets(sql, market, 'arbitrator', at.arbitrator, size),
  }
  const keys = walked.flatMap((table) => pages[table])
  const of = await countRows(sql, market)
  const ends = walked.map((table) => [table, findEnd(pages[table], size)] as const)
  // A table that is finished waits for the others, so that a round visits all tables.
  return ends.every(([, end]) => end === null)
    ? { keys, walk: { ...initialWalk, of, rounds: rounds + 1 } }
    : { keys, walk: { at: Object.fromEntries(ends) as Walk['at'], passed: passed + keys.length, of, rounds } }
}

function findEnd(page: readonly RowKey[], size: number): string | null {
  const last = page.at(-1)
  return last === undefined || page.length < size ? null : parseRowKey(last)[1]
}

/** Counts task numbers without gaps instead of reading rows, so that a missing row is noticed. */
async function nextTasks(sql: AnySql, market: number, last: bigint, size: number): Promise<RowKey[]> {
  const [row] = await sql<{ count: string }[]>`
    select coalesce(max(key), 0) as count from task where market = ${market}`
  const left = Math.min(size, Math.max(0, Number(BigInt(row?.count ?? 0) - last)))
  return Array.from({ length: left }, (_, index): RowKey => `task:${last + 1n + BigInt(index)}`)
}

async function nextWallets(
  sql: AnySql,
  market: number,
  table: 'agent' | 'arbitrator',
  last: string,
  size: number,
): Promise<RowKey[]> {
  const rows = await sql<{ key: string }[]>`
    select encode(key, 'hex') as key from ${sql(table)}
    where market = ${market} and key > decode(${last.slice(2)}, 'hex') order by key limit ${size}`
  return rows.map(({ key }): RowKey => `${table}:${getAddress(`0x${key}`)}`)
}

async function countRows(sql: AnySql, market: number): Promise<number> {
  const [row] = await sql<{ count: string }[]>`
    select (select coalesce(max(key), 0) from task where market = ${market})
      + (select count(*) from agent where market = ${market})
      + (select count(*) from arbitrator where market = ${market}) as count`
  return Number(row?.count ?? 0)
}

/**
 * Samples task numbers: half are the most recently changed tasks, half are random. Adds the number after the last task, which
 * must not exist on chain: this detects an index that lost its newest tasks.
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
