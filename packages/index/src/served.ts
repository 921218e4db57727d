import type { Market } from '@svc/protocol'
import { markets } from '@svc/protocol'
import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { marketNumber, toHex } from './cursor.ts'

/** Where the build that serves stands in one market. */
export interface ServedCursor {
  number: bigint
  hash: Hex
  timestamp: number
  /** Over all events up to the block: while it stays, no row has changed. */
  digest: Hex
  halted: string | null
}

/** Where the build that serves stands. */
export async function servedCursors(sql: Sql): Promise<Map<Market, ServedCursor>> {
  const rows = await sql<
    { market: number; number: string; hash: Buffer; timestamp: string; digest: Buffer; halted: string | null }[]
  >`select market, number, hash, "timestamp", digest, halted from market.cursor`
  return new Map(
    markets.flatMap((market) => {
      const row = rows.find((each) => each.market === marketNumber(market))
      if (!row) return []
      const { number, hash, timestamp, digest, halted } = row
      const cursor = {
        number: BigInt(number),
        hash: toHex(hash),
        timestamp: Number(timestamp),
        digest: toHex(digest),
        halted,
      }
      return [[market, cursor] as const]
    }),
  )
}
