import type { Comparison } from '@svc/index'
import { type DifferentialJson, unavailable } from '@svc/operations'
import type { Market } from '@svc/protocol'
import type { Watch } from './reads/watch.ts'
import { withTimeout } from './withTimeout.ts'

export type Differential = () => Promise<DifferentialJson>

export interface DifferentialOptions {
  read: () => Promise<ReadonlyMap<Market, Comparison>>
  watch: Pick<Watch, 'indexed'>
  isNear: (market: Market) => boolean
  /** A database that does not answer within this time counts as unreachable. */
  databaseMs?: number
}

/** Reads the indexer's last comparison; concurrent callers share one query. Throws 503 if the database is unreachable. */
export function createDifferential({ read, watch, isNear, databaseMs = 2_000 }: DifferentialOptions): Differential {
  let asked: ReturnType<DifferentialOptions['read']> | null = null

  return async () => {
    asked ??= read().finally(() => {
      asked = null
    })
    const found = await withTimeout(databaseMs, asked).catch(() => {
      throw unavailable('DATABASE_UNREACHABLE', 'The database with the comparisons cannot be reached now.')
    })
    return { standard: describe('standard', found), micro: describe('micro', found) }
  }

  function describe(market: Market, found: ReadonlyMap<Market, Comparison>): DifferentialJson[Market] {
    const last = found.get(market) ?? null
    const halted = watch.indexed(market)?.halted ?? null
    return {
      says: describeComparison(last, halted),
      readsFrom: isNear(market) ? 'index' : 'chain',
      last: last && formatComparison(last),
    }
  }
}

function describeComparison(last: Comparison | null, halted: string | null): string {
  if (halted !== null) return `The index is out of service, and reads come from the chain. ${halted}.`
  if (!last)
    return 'No comparison has run yet: the indexer compares every SVC_INDEX_SAMPLE_SECONDS once it has caught up.'
  const compared = `${last.compared} rows were compared with contract storage at block ${last.at.number}`
  const wrong = last.differences.length
  return wrong === 0
    ? `${compared}: all are equal.`
    : `${compared}: ${wrong} differ. Reads that use them come from the chain until the index has repaired them.`
}

function formatComparison({ at, ...last }: Comparison): NonNullable<DifferentialJson[Market]['last']> {
  return {
    block: { number: Number(at.number), hash: at.hash, timestamp: at.timestamp },
    digest: at.digest,
    comparedAt: last.made,
    rowsCompared: last.compared,
    rowsComparedInAll: Number(last.total),
    sweep: { upTo: last.walk.passed, of: last.walk.of, rounds: last.walk.rounds },
    differences: last.differences.map(({ row, parts }) => ({ row, parts: [...parts] })),
  }
}
