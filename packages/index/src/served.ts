import { type Market, markets } from '@svc/protocol'
import type { Sql } from 'postgres'
import { type Cursor, marketNumber, type PlaceRow, placeOf } from './cursor.ts'

/** Where the build that serves stands in one market. While the digest stays, no row has changed. */
export type ServedCursor = Omit<Cursor, 'events' | 'finalized'>

/** Where the build that serves stands. */
export async function servedCursors(sql: Sql): Promise<Map<Market, ServedCursor>> {
  const rows = await sql<(PlaceRow & { market: number })[]>`
    select market, number, hash, "timestamp", digest, halted from market.cursor`
  return new Map(
    markets.flatMap((market) => {
      const row = rows.find((each) => each.market === marketNumber(market))
      return row ? [[market, placeOf(row)] as const] : []
    }),
  )
}
