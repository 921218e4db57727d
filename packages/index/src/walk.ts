import { getAddress } from 'viem'
import { type RowKey, splitKey } from './kinds.ts'
import type { AnySql } from './sql.ts'

/** The tables that are walked through, row by row. */
const walked = ['task', 'agent', 'arbitrator'] as const

/** How far the walk through all rows of a market is. */
export interface Walk {
  /** The last key of each table in this round: empty before the first, null at the end. */
  at: Readonly<Record<(typeof walked)[number], string | null>>
  /** Rows passed in this round, and how many there are to pass. */
  passed: number
  of: number
  /** Rounds that are over: in each, every row had its turn. */
  rounds: number
}

/** Before the first step. */
export const walkBegins: Walk = { at: { task: '', agent: '', arbitrator: '' }, passed: 0, of: 0, rounds: 0 }

/** The next rows of each table, at most so many of each, and how far the walk is with them. */
export async function walkOn(
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
  const ends = walked.map((table) => [table, endOf(pages[table], size)] as const)
  // A table that is through waits for the others, so that a round is a round of all.
  return ends.every(([, end]) => end === null)
    ? { keys, walk: { ...walkBegins, of, rounds: rounds + 1 } }
    : { keys, walk: { at: Object.fromEntries(ends) as Walk['at'], passed: passed + keys.length, of, rounds } }
}

function endOf(page: readonly RowKey[], size: number): string | null {
  const last = page.at(-1)
  return last === undefined || page.length < size ? null : splitKey(last)[1]
}

/** By number, without a gap, whether a row is there or not: one that is missing is found too. */
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
