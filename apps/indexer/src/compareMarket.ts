import { setTimeout as wait } from 'node:timers/promises'
import type { Provider } from '@svc/chain'
import { loadComparison, marketNumber, type RowDifference, saveComparison } from '@svc/index'
import type { Sql } from 'postgres'
import { compareSample, confirmDifferences, formatRowDifference, haltWrongMarket } from './differential.ts'
import type { ComparedMarket } from './rowKinds.ts'

/** Tasks sampled per comparison, and rows of each table that the walk visits. */
const sampleSize = 50
/** Longer than a node needs to add a block. */
const recheckDelayMs = 1_000

/** The result of a comparison. `halted` is the reason if the index is wrong and was halted. */
export interface ComparisonResult {
  rows: number
  differences: readonly RowDifference[]
  halted: string | null
}

export interface CompareOptions {
  now?: () => number
  /** Waits before a difference is checked again: a node can confuse its newest block with the next one for a moment. */
  waitForRecheck?: () => Promise<unknown>
}

/**
 * Compares some rows with contract storage as one provider returns it. If there is a difference and the next provider (or the
 * only one, asked again) confirms it a little later, halts the market. Saves the result for readers. Returns null if the
 * provider could not be compared with.
 */
export async function compareMarket(
  sql: Sql,
  of: ComparedMarket,
  [first, second = first]: readonly Provider[],
  { now = Date.now, waitForRecheck = () => wait(recheckDelayMs) }: CompareOptions = {},
): Promise<ComparisonResult | null> {
  if (!first || !second) return null
  const number = marketNumber(of.market)
  const found = await compareSample(sql, of, first, sampleSize)
  if (!found) return null
  const { cursor: at, compared, walk } = found
  let confirmed = found.differences
  if (confirmed.length > 0) {
    await waitForRecheck()
    confirmed = await confirmDifferences(confirmed, at, of, second)
  }
  const differences = confirmed.map((each) => formatRowDifference(of.market, each))
  const total = ((await loadComparison(sql, number))?.total ?? 0n) + BigInt(compared)
  await saveComparison(sql, number, { at, made: Math.floor(now() / 1000), compared, total, walk, differences })
  return {
    rows: compared,
    differences,
    halted: differences.length > 0 ? await haltWrongMarket(sql, of.market, differences) : null,
  }
}
