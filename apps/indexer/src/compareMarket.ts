import { setTimeout as wait } from 'node:timers/promises'
import type { Provider } from '@svc/chain'
import {
  loadComparison,
  loadSuspects,
  marketNumber,
  type RowDifference,
  type RowKey,
  saveComparison,
  saveSuspects,
} from '@svc/index'
import type { Sql } from 'postgres'
import { compareSample, confirmDifferences, type Difference, formatRowDifference } from './differential.ts'
import { type HealParts, healRows } from './healRows.ts'
import type { ComparedMarket } from './rowKinds.ts'

/** Tasks sampled per comparison, and the least rows of each table that the walk visits. */
const sampleSize = 50
/** Longer than a node needs to add a block. */
const recheckDelayMs = 1_000

/** The result of a comparison. */
export interface ComparisonResult {
  rows: number
  /** Rows that differed, confirmed by two providers. */
  differences: readonly RowDifference[]
  /** How many of them equal contract storage again. */
  healed: number
  /** Rows that a refold did not repair, or that differ for the second time. Only a new build repairs them. */
  broken: readonly RowDifference[]
}

export interface CompareOptions {
  now?: () => number
  /** Waits before a difference is checked again: a node can confuse its newest block with the next one for a moment. */
  waitForRecheck?: () => Promise<unknown>
  /** Rows that were folded again before, and when, in milliseconds. The comparison adds to it. */
  refolded?: Map<RowKey, number>
  /** Seconds between comparisons. */
  seconds?: number
  /** How many rows of the sweep a comparison takes. */
  size?: number
  /** The functions of a repair. Tests replace them with broken ones. */
  parts?: HealParts
}

/**
 * Compares some rows with contract storage as one provider returns it. If the next provider (or the only one, asked again)
 * confirms a difference a little later, readers read that row from the chain, and it is folded again from its events and
 * compared again. Saves the result for readers. Returns null if the provider could not be compared with.
 */
export async function compareMarket(
  sql: Sql,
  of: ComparedMarket,
  [first, second = first]: readonly Provider[],
  options: CompareOptions = {},
): Promise<ComparisonResult | null> {
  if (!first || !second) return null
  const { now = Date.now, waitForRecheck = () => wait(recheckDelayMs), refolded = new Map(), seconds = 0 } = options
  const { size = sampleSize } = options
  const number = marketNumber(of.market)
  const found = await compareSample(sql, of, first, { size, seconds })
  if (!found) return null
  let confirmed: Difference[] = []
  if (found.differences.length > 0) {
    await waitForRecheck()
    confirmed = await confirmDifferences(found.differences, found.cursor, of, second)
  }
  const different = new Set(found.differences.map(({ key }) => key))
  const equal = (key: RowKey) => found.keys.has(key) && !different.has(key)
  const suspects = (await loadSuspects(sql, number)).filter((key) => !equal(key))
  await saveSuspects(sql, number, [...suspects, ...confirmed.map(({ key }) => key)])
  const { healed, broken } = await healRows(sql, of, [first, second], confirmed, {
    now,
    refolded,
    ...(options.parts && { parts: options.parts }),
  })
  const format = (each: Difference) => formatRowDifference(of.market, each)
  const differences = confirmed.filter(({ key }) => !healed.has(key)).map(format)
  const total = ((await loadComparison(sql, number))?.total ?? 0n) + BigInt(found.compared)
  const { cursor: at, compared, walk } = found
  await saveComparison(sql, number, { at, made: Math.floor(now() / 1000), compared, total, walk, differences })
  return {
    rows: compared,
    differences: confirmed.map(format),
    healed: healed.size,
    broken: broken.map(format),
  }
}
