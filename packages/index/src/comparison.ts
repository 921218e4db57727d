import { type Market, markets } from '@svc/protocol'
import type { Sql } from 'postgres'
import { type Cursor, marketNumber, toBytes, toHex } from './cursor.ts'
import type { Walk } from './sampling.ts'
import type { AnySql } from './sql.ts'

/** A row that differs from contract storage, and the parts that differ. `parts` is empty if one of the two has no such row. */
export interface RowDifference {
  row: string
  parts: readonly string[]
}

/** The last comparison of a market with contract storage. */
export interface Comparison {
  /** The block that both were read at, and the digest of the index at that block. */
  at: Pick<Cursor, 'number' | 'hash' | 'timestamp' | 'digest'>
  /** When it was made, in unix seconds. */
  made: number
  /** Rows compared then, and since the build was made. */
  compared: number
  total: bigint
  walk: Walk
  /** At most 100. */
  differences: readonly RowDifference[]
}

const maxDifferences = 100

/** Saves a comparison and replaces the previous one. */
export async function saveComparison(sql: AnySql, market: number, given: Comparison): Promise<void> {
  const { at, made, compared, total, walk } = given
  const differences = JSON.stringify(given.differences.slice(0, maxDifferences))
  await sql`
    insert into comparison values (${market}, ${String(at.number)}, ${toBytes(at.hash)}, ${at.timestamp}, ${toBytes(at.digest)},
      ${made}, ${compared}, ${String(total)}, ${JSON.stringify(walk)}, ${differences})
    on conflict (market) do update set number = excluded.number, hash = excluded.hash, "timestamp" = excluded."timestamp",
      digest = excluded.digest, made = excluded.made, compared = excluded.compared, total = excluded.total,
      walk = excluded.walk, differences = excluded.differences`
}

/** Loads the last comparison of a market in this build; null before the first. */
export async function loadComparison(sql: AnySql, market: number): Promise<Comparison | null> {
  const [row] = await sql<ComparisonRow[]>`select * from comparison where market = ${market}`
  return row ? parseComparison(row) : null
}

/** Loads the last comparisons of the build that serves, without the markets that were never compared. */
export async function loadServedComparisons(sql: Sql): Promise<Map<Market, Comparison>> {
  const rows = await sql<ComparisonRow[]>`select * from market.comparison`
  return new Map(
    markets.flatMap((market) => {
      const row = rows.find((each) => each.market === marketNumber(market))
      return row ? [[market, parseComparison(row)] as const] : []
    }),
  )
}

interface ComparisonRow {
  market: number
  number: string
  hash: Buffer
  timestamp: string
  digest: Buffer
  made: string
  compared: number
  total: string
  walk: string
  differences: string
}

function parseComparison({ number, hash, timestamp, digest, ...row }: ComparisonRow): Comparison {
  return {
    at: { number: BigInt(number), hash: toHex(hash), timestamp: Number(timestamp), digest: toHex(digest) },
    made: Number(row.made),
    compared: row.compared,
    total: BigInt(row.total),
    walk: JSON.parse(row.walk),
    differences: JSON.parse(row.differences),
  }
}
