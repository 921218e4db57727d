import type { Provider } from '@svc/chain'
import { marketNumber } from '@svc/index'
import type { Market } from '@svc/protocol'
import type { Sql } from 'postgres'
import type { Address } from 'viem'
import { compareSample, confirmDifferences, distrust } from './differential.ts'

/** How many tasks are compared at a time. */
const sampleSize = 50

/** What a comparison found; halted where the index is wrong. */
export interface Compared {
  tasks: number
  differences: readonly bigint[]
  halted: string | null
}

/**
 * Compares some tasks with contract storage as one provider tells it, and takes the market out of service where the next
 * one, or the only one asked again, finds the index wrong too. Null when nothing could be said.
 */
export async function compareMarket(
  sql: Sql,
  market: Market,
  [first, second = first]: readonly Provider[],
  taskLens: Address,
): Promise<Compared | null> {
  if (!first || !second) return null
  const number = marketNumber(market)
  const found = await compareSample(sql, number, first, taskLens, sampleSize)
  if (!found) return null
  const differences =
    found.differences.length > 0 ? await confirmDifferences(found.differences, found.cursor, second, taskLens) : []
  return {
    tasks: found.compared,
    differences: differences.map(({ number }) => number),
    halted: differences.length > 0 ? await distrust(sql, number, differences) : null,
  }
}
