import type { Comparison } from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { count, hashText, moment } from '@svc/protocol/http'
import { awayError } from '@svc/serve'
import { z } from 'zod'
import type { Watch } from './reads/watch.ts'
import { within } from './within.ts'

/** `digest` is SHA-256 over all events of the index up to the block; rows are counted since the index was built. */
const comparisonJson = z.object({
  block: z.object({ number: count, hash: hashText, timestamp: moment }).describe('Where both were read.'),
  digest: hashText,
  comparedAt: moment,
  rowsCompared: count,
  rowsComparedInAll: count,
  sweep: z.object({ upTo: count, of: count, rounds: count }).describe('How far the walk through all rows is.'),
  differences: z.array(
    z.object({
      row: z.string().describe('As "task v2:micro:3", "agent 0x…" or "union".'),
      parts: z.array(z.string()).describe('What of it differs; none where one of the two has no such row.'),
    }),
  ),
})

const marketJson = z.object({
  says: z.string().describe('The same in words.'),
  readsFrom: z.enum(['index', 'chain']).describe('From where reads of this market are answered now.'),
  last: z.nullable(comparisonJson).describe('The last comparison; null before the first.'),
})

/** The last comparison of the index with contract storage, of each market. */
export const differentialJson = z.object({ standard: marketJson, micro: marketJson })

type DifferentialJson = z.output<typeof differentialJson>
export type Differential = () => Promise<DifferentialJson>

export interface DifferentialOptions {
  read: () => Promise<ReadonlyMap<Market, Comparison>>
  watch: Pick<Watch, 'indexed'>
  isNear: (market: Market) => boolean
  /** A database that is silent for longer counts as away. */
  databaseMs?: number
}

/** Tells what the indexer last found, read once for all who ask meanwhile. Throws 503 where the database is away. */
export function createDifferential({ read, watch, isNear, databaseMs = 2_000 }: DifferentialOptions): Differential {
  let asked: ReturnType<DifferentialOptions['read']> | null = null

  return async () => {
    asked ??= read().finally(() => {
      asked = null
    })
    const found = await within(databaseMs, asked).catch(() => {
      throw awayError('DATABASE_UNREACHABLE', 'The database cannot be reached, where comparisons are kept.')
    })
    const all = markets.map((market) => [market, marketOf(market, found.get(market) ?? null)] as const)
    return Object.fromEntries(all) as DifferentialJson
  }

  function marketOf(market: Market, last: Comparison | null): DifferentialJson[Market] {
    const halted = watch.indexed(market)?.halted ?? null
    return { says: wordsOf(last, halted), readsFrom: isNear(market) ? 'index' : 'chain', last: last && jsonOf(last) }
  }
}

function wordsOf(last: Comparison | null, halted: string | null): string {
  if (halted !== null) return `The index is out of service, and reads come from the chain. ${halted}.`
  if (!last)
    return 'Nothing was compared yet: the indexer compares every SVC_INDEX_SAMPLE_SECONDS once it has caught up.'
  return `${last.compared} rows were compared with contract storage at block ${last.at.number}: all are equal.`
}

function jsonOf({ at, ...last }: Comparison): z.output<typeof comparisonJson> {
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
