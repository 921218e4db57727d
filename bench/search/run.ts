import { buildSearchStatement, createIndexReader, loadCommonWords } from '@svc/index'
import { type SearchQuery, searchSorts } from '@svc/protocol/internal/tasks'
import { createRandom, type Random } from '@svc/simulation/random'
import type { Sql } from 'postgres'
import { startCluster } from '../../test/harness/cluster.ts'
import { postgresSettings } from '../scale/fill.ts'
import { noPrices } from '../scale/noPrices.ts'
import { fillTasks } from './fill.ts'

export interface SearchOptions {
  tasks: number
  smallTasks: number
  runs: number
  log: (line: string) => void
}

/** Milliseconds. */
interface Times {
  p50: number
  p99: number
}

export interface MeasuredSearch {
  name: string
  small: Times
  large: Times
  /** The same statement in the large database, without the reader. */
  bare: Times
}

/** What must hold for all searches together. The table also shows p50, which grows with the market: more words have matches. */
const [mostP99, mostRatio, leastBare] = [50, 1.2, 0.8]
const market = 'standard'

/** Times searches for two words with filters in a small and in a large market, in turn. */
export async function runSearch({ tasks, smallTasks, runs, log }: SearchOptions) {
  const cluster = await startCluster(postgresSettings)
  const clients: Sql[] = []
  try {
    const small = await fillTasks(cluster, 'small', smallTasks, log)
    clients.push(small)
    const large = await fillTasks(cluster, 'large', tasks, log)
    clients.push(large)
    const random = createRandom(7)
    const texts = await small<{ text: string }[]>`select excerpt as text from market.search order by key limit 2000`
    const readers = [small, large].map((sql) => createIndexReader(sql, noPrices))
    const common = await loadCommonWords(large, market)
    const times: { sort: string; small: number; large: number; bare: number }[] = []
    const [smallReader, largeReader] = readers
    for (const query of listShapes()) {
      await smallReader?.search(market, query)
      await largeReader?.search(market, query)
    }
    for (let turn = -100; turn < runs; turn++) {
      const query = drawQuery(random, random.pick(texts).text)
      const { text, values } = buildSearchStatement(market, query, common)
      const timeReader = () => time(() => largeReader?.search(market, query))
      const timeBare = () => time(() => large.unsafe(text, values, { prepare: true }))
      const smallTime = await time(() => smallReader?.search(market, query))
      // Whoever is second finds the rows in the caches of the first, so they take turns.
      const isBareFirst = turn % 2 === 0
      const early = isBareFirst ? await timeBare() : 0
      const largeTime = await timeReader()
      const bareTime = isBareFirst ? early : await timeBare()
      if (turn >= 0) times.push({ sort: query.sort, small: smallTime, large: largeTime, bare: bareTime })
    }
    const measured = ['all', ...searchSorts].map((name): MeasuredSearch => {
      const own = times.filter(({ sort }) => name === 'all' || sort === name)
      const of = (side: 'small' | 'large' | 'bare') => summarizeTimes(own.map((each) => each[side]))
      return { name, small: of('small'), large: of('large'), bare: of('bare') }
    })
    return { measured, faults: findFaults(measured) }
  } finally {
    await Promise.all(clients.map((sql) => sql.end({ timeout: 1 })))
    await cluster.remove()
  }
}

function findFaults([all]: readonly MeasuredSearch[]): string[] {
  if (!all) return ['nothing was measured']
  const { small, large, bare } = all
  return [
    ...(large.p99 <= mostP99 ? [] : [`p99 is ${large.p99.toFixed(1)} ms, more than ${mostP99}`]),
    ...(large.p99 <= small.p99 * mostRatio
      ? []
      : [`p99 is ${(large.p99 / small.p99).toFixed(2)} times that of the small market`]),
    ...(bare.p50 >= large.p50 * leastBare
      ? []
      : [`the bare statement takes ${(bare.p50 / large.p50).toFixed(2)} of the time`]),
  ]
}

/** Two words that occur together at least once, and about two filters. */
function drawQuery(random: Random, text: string): SearchQuery {
  // The last word of the excerpt may be cut.
  const words = text.split(' ').slice(0, -1)
  return buildQuery(`${random.pick(words)} ${random.pick(words)}`, random.pick(searchSorts), {
    minPay: random.chance(0.4),
    maxPay: random.chance(0.4),
    funded: random.chance(0.3),
    claimPolicy: random.chance(0.4),
  })
}

/**
 * One search for each statement that `drawQuery` can need. A connection plans a statement when it first runs it, which takes longer
 * than most searches and as long in every market. Without this, the p99 of both markets would be that of planning.
 */
const listShapes = (): SearchQuery[] =>
  searchSorts.flatMap((sort) =>
    Array.from({ length: 16 }, (_, bits) =>
      buildQuery('w10 w20', sort, {
        minPay: (bits & 1) > 0,
        maxPay: (bits & 2) > 0,
        funded: (bits & 4) > 0,
        claimPolicy: (bits & 8) > 0,
      }),
    ),
  )

type Filter = 'minPay' | 'maxPay' | 'funded' | 'claimPolicy'

const buildQuery = (words: string, sort: SearchQuery['sort'], has: Record<Filter, boolean>): SearchQuery => ({
  words,
  tags: [],
  minPay: has.minPay ? 100n * 10n ** 18n : undefined,
  maxPay: has.maxPay ? 5_000n * 10n ** 18n : undefined,
  funded: has.funded,
  claimPolicy: has.claimPolicy ? 'ANYONE' : undefined,
  claimable: true,
  sort,
  limit: 20,
})

async function time(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function summarizeTimes(times: readonly number[]): Times {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}
