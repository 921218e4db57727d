import { ChainReadError, type Provider } from '@svc/chain'
import { getServingBuild, loadServedSuspects, type RowKey } from '@svc/index'
import type { Sql } from 'postgres'
import { compareRows, compareSample, confirmDifferences } from './differential.ts'
import type { ComparedMarket } from './rowKinds.ts'

/**
 * Returns whether a complete build should serve: nothing serves yet, or its rows equal contract storage, above all those that
 * differ in the build that serves. Two providers must agree that one is wrong. Throws if a provider could not be compared with.
 */
export async function isBetterBuild(
  sql: Sql,
  compared: readonly ComparedMarket[],
  [first, second = first]: readonly Provider[],
): Promise<boolean> {
  if (!first || !second || (await getServingBuild(sql)) === null) return true
  for (const of of compared) {
    const suspects: RowKey[] = await loadServedSuspects(sql, of.market)
    for (const found of [
      await compareSample(sql, of, first, { size: 50 }),
      await compareRows(sql, of, first, suspects),
    ]) {
      if (!found)
        throw new ChainReadError(`The new build of ${of.market} cannot be compared with the chain now.`, {
          retryable: true,
        })
      const wrong = await confirmDifferences(found.differences, found.cursor, of, second)
      if (wrong.length > 0) return false
    }
  }
  return true
}
