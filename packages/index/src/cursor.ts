import { hash } from 'node:crypto'
import { type Market, markets } from '@svc/protocol'
import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { haveEntriesEnded } from './phases.ts'
import type { AnySql } from './sql.ts'

/** The last block of a market's index. */
export interface Cursor {
  number: bigint
  hash: Hex
  /** Unix seconds. */
  timestamp: number
  /** SHA-256 over all events so far, in order. Two indexes of the same chain have the same digest. */
  digest: Hex
  events: bigint
  finalized: bigint
  /** How often rows were folded again. Rows that were loaded before the last time may be wrong. */
  refolds: number
  /** Why the index was halted; null if it was not. */
  halted: string | null
}

/** Returns the number of a market in the tables. */
export function marketNumber(market: Market): number {
  return markets.indexOf(market)
}

/** Loads the cursor of a market; null before its first block. */
export async function loadCursor(sql: AnySql, market: number): Promise<Cursor | null> {
  const [row] = await sql<(CursorPositionRow & { events: string; finalized: string; refolds: number })[]>`
    select number, hash, "timestamp", digest, events, finalized, refolds, halted from cursor where market = ${market}`
  if (!row) return null
  const { events, finalized, refolds } = row
  return { ...parseCursorPosition(row), events: BigInt(events), finalized: BigInt(finalized), refolds }
}

type CursorPosition = Omit<Cursor, 'events' | 'finalized' | 'refolds'>

/** The columns of a cursor that describe its block. */
interface CursorPositionRow {
  number: string
  hash: Buffer
  timestamp: string
  digest: Buffer
  halted: string | null
}

/** Parses the columns of a cursor that describe its block. */
function parseCursorPosition({ number, hash, timestamp, digest, halted }: CursorPositionRow): CursorPosition {
  return { number: BigInt(number), hash: toHex(hash), timestamp: Number(timestamp), digest: toHex(digest), halted }
}

/** Returns the digest after one more event. */
export function extendDigest(digest: Hex, { blockNumber, logIndex, address, topics, data }: DigestedLog): Hex {
  const text = `${digest}|${blockNumber}|${logIndex}|${address.toLowerCase()}|${topics.join('|')}|${data}`
  return `0x${hash('sha256', text, 'hex')}`
}

interface DigestedLog {
  blockNumber: bigint
  logIndex: number
  address: string
  topics: readonly string[]
  data: string
}

/** The digest before the first event. */
export const emptyDigest: Hex = `0x${'00'.repeat(32)}`

export const toHex = (bytes: Buffer): Hex => `0x${bytes.toString('hex')}`
export const toBytes = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex')

/** Loads the cursor. For an empty index, creates it at the block before the first log. */
export async function loadOrCreateCursor(
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
  return { number, hash, timestamp, digest: emptyDigest, events: 0n, finalized: 0n, refolds: 0, halted: null }
}

/** Halts the index of a market permanently, with the reason, which readers see. */
export async function haltMarket(sql: Sql, market: number, reason: string): Promise<void> {
  await sql`update cursor set halted = ${reason} where market = ${market}`
  // Readers cache responses until they are notified.
  await sql`select pg_notify('svc_index', ${`${market}:halted`})`
}

/** Returns the hash that the index stored for a block; null if it stored none. */
export async function getHeaderHash(sql: AnySql, market: number, number: bigint): Promise<Hex | null> {
  const [row] = await sql<{ hash: Buffer }[]>`
    select hash from header where market = ${market} and number = ${String(number)}`
  return row ? `0x${row.hash.toString('hex')}` : null
}

/** A block in the index, with the digest and the number of all events up to it. */
export type DigestedHeader = Pick<Cursor, 'number' | 'hash' | 'digest' | 'events'>

/** Loads the stored headers of a range of blocks, in order. */
export async function loadHeaders(sql: AnySql, market: number, from: bigint, to: bigint): Promise<DigestedHeader[]> {
  const rows = await sql<{ number: string; hash: Buffer; digest: Buffer; events: string }[]>`
    select number, hash, digest, events from header
    where market = ${market} and number between ${String(from)} and ${String(to)} order by number`
  return rows.map(({ number, hash, digest, events }) => ({
    number: BigInt(number),
    hash: toHex(hash),
    digest: toHex(digest),
    events: BigInt(events),
  }))
}

/** Returns the oldest block that the index can roll back to. */
export async function getOldestHeader(sql: AnySql, market: number): Promise<bigint> {
  const [row] = await sql<
    { number: string | null }[]
  >`select min(number) as number from header where market = ${market}`
  return BigInt(row?.number ?? 0)
}

/** The cursor of the build that serves. */
export interface ServedCursor extends CursorPosition {
  /** While it is the same, no answer has changed: it names the build, its events, and which rows were or must be repaired. */
  version: string
  /** Whether the market's entries have ended for good. Lists change with it, although no row does. */
  entriesEnded: boolean
}

/** Loads the cursors of the build that serves. */
export async function loadServedCursors(sql: Sql): Promise<Map<Market, ServedCursor>> {
  const rows = await sql<
    (CursorPositionRow & { market: number; ended: boolean; build: string; refolds: number; suspects: string })[]
  >`
    select market, number, hash, "timestamp", digest, halted, refolds, suspects,
      obj_description(to_regnamespace('market')) as build, ${sql.unsafe(haveEntriesEnded)} as ended
    from market.cursor c`
  return new Map(
    markets.flatMap((market) => {
      const row = rows.find((each) => each.market === marketNumber(market))
      if (!row) return []
      const position = parseCursorPosition(row)
      const version = `${row.build} ${position.digest} ${row.refolds} ${row.suspects}`
      return [[market, { ...position, version, entriesEnded: row.ended }] as const]
    }),
  )
}
