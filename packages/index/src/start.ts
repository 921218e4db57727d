import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { type Cursor, emptyDigest, loadCursor, toBytes } from './cursor.ts'

/** Puts the cursor of an empty index at the block before the first log, or finds where it stands. */
export async function startAt(
  sql: Sql,
  market: number,
  block: () => Promise<{ number: bigint; hash: Hex; timestamp: number }>,
): Promise<Cursor> {
  const found = await loadCursor(sql, market)
  if (found) return found
  const { number, hash, timestamp } = await block()
  const [digest, zero] = [toBytes(emptyDigest), 0]
  await sql.begin(async (step) => {
    await step`insert into cursor values
      (${market}, ${String(number)}, ${toBytes(hash)}, ${timestamp}, ${digest}, ${zero}, ${zero}, null)`
    await step`insert into header values (${market}, ${String(number)}, ${toBytes(hash)}, ${timestamp}, ${digest}, ${zero})`
  })
  return { number, hash, timestamp, digest: emptyDigest, events: 0n, finalized: 0n, halted: null }
}

/** Stops a market's index for good, with the reason, for everybody to see. */
export async function halt(sql: Sql, market: number, reason: string): Promise<void> {
  await sql`update cursor set halted = ${reason} where market = ${market}`
  // Readers keep answers while nothing moves.
  await sql`select pg_notify('svc_index', ${`${market}:halted`})`
}

/** The hash that the index keeps of a block. */
export async function hashAt(sql: Sql, market: number, number: bigint): Promise<Hex | null> {
  const [row] = await sql<{ hash: Buffer }[]>`
    select hash from header where market = ${market} and number = ${String(number)}`
  return row ? `0x${row.hash.toString('hex')}` : null
}

/** The oldest block that the index can go back to. */
export async function oldestHeader(sql: Sql, market: number): Promise<bigint> {
  const [row] = await sql<
    { number: string | null }[]
  >`select min(number) as number from header where market = ${market}`
  return BigInt(row?.number ?? 0)
}
