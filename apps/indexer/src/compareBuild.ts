import { setTimeout as wait } from 'node:timers/promises'
import { ChainReadError, type Provider } from '@svc/chain'
import {
  getServingBuild,
  loadComparison,
  loadServedSuspects,
  marketNumber,
  type RowDifference,
  saveComparison,
} from '@svc/index'
import type { Sql } from 'postgres'
import { compareRows, compareSample, confirmDifferences, formatRowDifference } from './differential.ts'
import type { ComparedMarket } from './rowKinds.ts'

/** Longer than a node needs to add a block: it can confuse its newest block with the next one for a moment. */
const recheckDelayMs = 1_000

/**
 * Compares a complete build with contract storage, above all the rows that differ in the build that serves. Returns the
 * differences that a second provider confirms; if there are none, saves the comparison for readers. The sample contains the
 * number after the last task, so a build without tasks differs from a chain with tasks. Throws if a provider cannot be compared
 * with now.
 */
export async function compareBuild(
  sql: Sql,
  compared: readonly ComparedMarket[],
  [first, second = first]: readonly Provider[],
  waitForRecheck: () => Promise<unknown> = () => wait(recheckDelayMs),
): Promise<RowDifference[]> {
  if (!first || !second) throw new RangeError('A build cannot be compared without a provider.')
  const isFirst = (await getServingBuild(sql)) === null
  for (const of of compared) {
    const sample = await compareSample(sql, of, first, { size: 50 })
    const suspects = isFirst ? [] : await loadServedSuspects(sql, of.market)
    const suspected = suspects.length > 0 ? await compareRows(sql, of, first, suspects) : sample
    if (!sample || !suspected)
      throw new ChainReadError(`The new build of ${of.market} cannot be compared with the chain now.`, {
        retryable: true,
      })
    for (const { differences, cursor } of new Set([sample, suspected])) {
      if (differences.length === 0) continue
      await waitForRecheck()
      const wrong = await confirmDifferences(differences, cursor, of, second)
      if (wrong.length > 0) return wrong.map((each) => formatRowDifference(of.market, each))
    }
    const number = marketNumber(of.market)
    const total = ((await loadComparison(sql, number))?.total ?? 0n) + BigInt(sample.compared)
    const { cursor: at, walk } = sample
    const made = Math.floor(Date.now() / 1000)
    await saveComparison(sql, number, { at, made, compared: sample.compared, total, walk, differences: [] })
  }
  return []
}
