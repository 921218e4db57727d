import { ChainReadError, type Provider } from '@svc/chain'
import { loadSuspects, marketNumber, RefoldInterruptedError, type RowKey, refoldRows, saveSuspects } from '@svc/index'
import { SvcError } from '@svc/protocol'
import type { Sql } from 'postgres'
import { compareRows, confirmDifferences, type Difference } from './differential.ts'
import type { ComparedMarket } from './rowKinds.ts'

/** If more rows differ at once, the build is wrong, not a row. */
const maxRefolds = 20

/** A row that differs again within this time is not folded again: something keeps making it wrong. */
const againMs = 3_600_000

export interface HealParts {
  refold?: typeof refoldRows
}

export interface Healing {
  /** Rows that equal contract storage again. */
  healed: ReadonlySet<RowKey>
  /** Rows that only a new build repairs. */
  broken: readonly Difference[]
}

/**
 * Folds rows that differ again from their events, and compares them again with both providers. Rows that are equal then are
 * served from the index again. A row that cannot be compared now stays a suspect, and the next comparison decides.
 */
export async function healRows(
  sql: Sql,
  of: ComparedMarket,
  [first, second]: readonly [Provider, Provider],
  differences: readonly Difference[],
  { now, refolded, parts }: { now: () => number; refolded: Map<RowKey, number>; parts?: HealParts },
): Promise<Healing> {
  const none: Healing = { healed: new Set(), broken: [] }
  if (differences.length === 0) return none
  for (const [key, at] of refolded) if (now() - at > againMs) refolded.delete(key)
  const again = new Set(differences.map(({ key }) => key).filter((key) => refolded.has(key)))
  if (differences.length > maxRefolds) return { ...none, broken: differences }
  const keys = differences.map(({ key }) => key)
  const market = marketNumber(of.market)
  try {
    await (parts?.refold ?? refoldRows)(sql, market, of.contracts.taskRegistry, keys)
  } catch (error) {
    if (error instanceof RefoldInterruptedError) return none
    // Stored events that cannot be folded are wrong themselves.
    if (error instanceof SvcError) return { ...none, broken: differences }
    throw error
  }
  for (const key of keys) refolded.set(key, now())
  const compared = await compareAgain(sql, of, [first, second], keys)
  if (!compared) return none
  const healed = new Set(keys.filter((key) => compared.equal.has(key)))
  const left = (await loadSuspects(sql, market)).filter((key) => !healed.has(key))
  await saveSuspects(sql, market, left)
  const recurring = differences.filter(({ key }) => again.has(key) && healed.has(key))
  return { healed, broken: [...compared.confirmed, ...recurring] }
}

/** Compares rows again. Returns null if a provider could not be compared with. */
async function compareAgain(
  sql: Sql,
  of: ComparedMarket,
  [first, second]: readonly [Provider, Provider],
  keys: readonly RowKey[],
) {
  try {
    const found = await compareRows(sql, of, first, keys)
    if (!found) return null
    const different = new Set(found.differences.map(({ key }) => key))
    const confirmed = await confirmDifferences(found.differences, found.cursor, of, second)
    return { equal: new Set([...found.keys].filter((key) => !different.has(key))), confirmed }
  } catch (error) {
    if (error instanceof ChainReadError) return null
    throw error
  }
}
