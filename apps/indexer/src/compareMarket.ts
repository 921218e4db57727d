import type { Provider } from '@svc/chain'
import { loadComparison, marketNumber, saveComparison } from '@svc/index'
import type { Sql } from 'postgres'
import { type Compared, compareSample, confirmDifferences, distrust, rowDifferenceOf } from './differential.ts'

/** So many tasks are sampled at a time, and as many compared in turn. */
const sampleSize = 50

/** What a comparison found; halted where the index is wrong. */
export interface Found {
  tasks: number
  differences: readonly bigint[]
  halted: string | null
}

/**
 * Compares some tasks with contract storage as one provider tells it, and takes the market out of service where the next
 * one, or the only one asked again, finds the index wrong too. What was found is kept for everybody to read. Null when nothing
 * could be said.
 */
export async function compareMarket(
  sql: Sql,
  of: Compared,
  [first, second = first]: readonly Provider[],
  now: () => number = Date.now,
): Promise<Found | null> {
  if (!first || !second) return null
  const number = marketNumber(of.market)
  const found = await compareSample(sql, of, first, sampleSize)
  if (!found) return null
  const { cursor: at, compared, swept, rounds } = found
  const differences = found.differences.length > 0 ? await confirmDifferences(found.differences, at, of, second) : []
  const total = ((await loadComparison(sql, number))?.total ?? 0n) + BigInt(compared)
  await saveComparison(sql, number, {
    at,
    made: Math.floor(now() / 1000),
    compared,
    total,
    swept,
    rounds,
    differences: differences.map((each) => rowDifferenceOf(of.market, each)),
  })
  return {
    tasks: compared,
    differences: differences.map((each) => each.number),
    halted: differences.length > 0 ? await distrust(sql, of.market, differences) : null,
  }
}
