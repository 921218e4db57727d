import { setTimeout as wait } from 'node:timers/promises'
import type { Provider } from '@svc/chain'
import { loadComparison, marketNumber, type RowDifference, saveComparison } from '@svc/index'
import type { Sql } from 'postgres'
import { compareSample, confirmDifferences, distrust, rowDifferenceOf } from './differential.ts'
import type { Compared } from './rowKinds.ts'

/** So many tasks are sampled at a time, and as many rows of each table compared in turn. */
const sampleSize = 50
/** Longer than a node takes to add a block. */
const settleMs = 1_000

/** What a comparison found; halted where the index is wrong. */
export interface Found {
  rows: number
  differences: readonly RowDifference[]
  halted: string | null
}

export interface CompareOptions {
  now?: () => number
  /** Waits before a difference is looked at again: a node may mix up its newest block with the next one, for a moment. */
  settle?: () => Promise<unknown>
}

/**
 * Compares some rows with contract storage as one provider tells it, and takes the market out of service where the next
 * one, or the only one asked again, says the same a little later. What was found is kept for everybody to read. Null when
 * nothing could be said.
 */
export async function compareMarket(
  sql: Sql,
  of: Compared,
  [first, second = first]: readonly Provider[],
  { now = Date.now, settle = () => wait(settleMs) }: CompareOptions = {},
): Promise<Found | null> {
  if (!first || !second) return null
  const number = marketNumber(of.market)
  const found = await compareSample(sql, of, first, sampleSize)
  if (!found) return null
  const { cursor: at, compared, walk } = found
  if (found.differences.length > 0) await settle()
  const confirmed = found.differences.length > 0 ? await confirmDifferences(found.differences, at, of, second) : []
  const differences = confirmed.map((each) => rowDifferenceOf(of.market, each))
  const total = ((await loadComparison(sql, number))?.total ?? 0n) + BigInt(compared)
  await saveComparison(sql, number, { at, made: Math.floor(now() / 1000), compared, total, walk, differences })
  return {
    rows: compared,
    differences,
    halted: differences.length > 0 ? await distrust(sql, of.market, differences) : null,
  }
}
