import { hash } from 'node:crypto'
import { type Market, markets } from '@svc/protocol'
import type { Hex } from 'viem'
import type { AnySql } from './sql.ts'

/** How far the index of a market is. */
export interface Cursor {
  number: bigint
  hash: Hex
  /** Unix seconds. */
  timestamp: number
  /** SHA-256 over all events so far, in order: two indexes of one chain have the same. */
  digest: Hex
  events: bigint
  finalized: bigint
  /** Why nothing is written any more. */
  halted: string | null
}

/** A market's number in the tables. */
export function marketNumber(market: Market): number {
  return markets.indexOf(market)
}

/** The cursor of a market; null before its first block. */
export async function loadCursor(sql: AnySql, market: number): Promise<Cursor | null> {
  const [row] = await sql<(PlaceRow & { events: string; finalized: string })[]>`
    select number, hash, "timestamp", digest, events, finalized, halted from cursor where market = ${market}`
  return row ? { ...placeOf(row), events: BigInt(row.events), finalized: BigInt(row.finalized) } : null
}

/** The columns of a cursor that say where it stands. */
export interface PlaceRow {
  number: string
  hash: Buffer
  timestamp: string
  digest: Buffer
  halted: string | null
}

/** Where a cursor stands. */
export function placeOf({ number, hash, timestamp, digest, halted }: PlaceRow): Omit<Cursor, 'events' | 'finalized'> {
  return { number: BigInt(number), hash: toHex(hash), timestamp: Number(timestamp), digest: toHex(digest), halted }
}

/** The digest after one more event. */
export function digestAfter(digest: Hex, { blockNumber, logIndex, address, topics, data }: DigestedLog): Hex {
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
