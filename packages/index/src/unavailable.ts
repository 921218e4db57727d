import { type Market, SvcError } from '@svc/protocol'
import { findSuspect } from './suspects.ts'

/** A market cannot be read from the index now. Callers read the chain instead. */
export class IndexUnavailableError extends SvcError {
  override name = 'IndexUnavailableError'

  constructor(market: Market, reason: string) {
    super('INDEX_UNAVAILABLE', `The ${market} market cannot be read from the index: ${reason}.`)
  }
}

/** The columns of a cursor that say whether a market can be read from the index. */
export interface Usability {
  halted: string | null
  suspects: string
}

/** Throws `IndexUnavailableError` if the market has no index, it is halted, or a row that the read uses is being repaired. */
export function assertUsable<T extends Usability>(
  market: Market,
  cursor: T | undefined,
  used: readonly string[],
): asserts cursor is T {
  if (!cursor) throw new IndexUnavailableError(market, 'it has no blocks yet')
  if (cursor.halted) throw new IndexUnavailableError(market, cursor.halted)
  const suspect = findSuspect(cursor.suspects, used)
  if (suspect)
    throw new IndexUnavailableError(market, `row ${suspect} differs from contract storage and is being repaired`)
}

/** Throws `IndexUnavailableError` while rows of the market differ: a row that the index does not have may be on the chain. */
export function assertMissing(market: Market, { suspects }: Usability): void {
  if (suspects !== '[]')
    throw new IndexUnavailableError(market, 'rows differ from contract storage, so it may lack others as well')
}
