import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres, { type Sql } from 'postgres'
import { type Cluster, startCluster } from '../../test/harness/cluster.ts'
import { type AppProcess, killAllProcesses, startIndexerProcess } from './appProcess.ts'
import { findInconsistency, findWrongIndex, waitForIndexHead } from './indexChecks.ts'
import { type LiveChain, startLiveChain } from './liveChain.ts'
import { waitUntil } from './replica.ts'

/** What scenarios run on: a live chain and their own Postgres. */
export interface Fixture {
  chain: LiveChain
  url: string
  cluster: Pick<Cluster, 'kill' | 'start'>
  sql: Sql
  /** The environment of an indexer. */
  env: (build: string, more?: Readonly<Record<string, string>>) => Record<string, string>
  /** Starts an indexer of build `a`. Resolves when both markets have caught up. */
  startIndexer: (more?: Readonly<Record<string, string>>) => Promise<AppProcess>
  /** Stops the chain for a moment, and compares all of an index with it. */
  findIndexFault: (schema: string) => Promise<string | null>
  stop: () => Promise<void>
}

/** Starts a chain with `blocks` blocks, and a Postgres. */
export async function startFixture(seed: number, blocks: number): Promise<Fixture> {
  const chain = await startLiveChain(seed, blocks)
  const cluster = await startCluster()
  const cache = await mkdtemp(join(tmpdir(), 'compiled-'))
  const sql = postgres(cluster.url, { fetch_types: false, onnotice: () => {}, max: 4 })
  const env: Fixture['env'] = (build, more) => ({
    CHAIN_RPC_URL: chain.urls,
    SVC_DATABASE_URL: cluster.url,
    SVC_DEPLOYMENTS: chain.deployments,
    SVC_INDEX_BUILD: build,
    SVC_INDEX_PORT: '0',
    SVC_INDEX_POLL_MS: '20',
    SVC_INDEX_SAMPLE_SECONDS: '1',
    // As docs/operations.md recommends.
    NODE_COMPILE_CACHE: cache,
    ...more,
  })
  return {
    chain,
    url: cluster.url,
    cluster,
    sql,
    env,
    async startIndexer(more) {
      const indexer = startIndexerProcess(env('a', more))
      await indexer.waitForBoth('caught up')
      return indexer
    },
    async findIndexFault(schema) {
      // Rows are read as readers do. A build serves shortly after it has caught up.
      const isServed = async () => (await sql`select to_regclass('market.cursor') as cursor`)[0]?.cursor !== null
      await waitUntil('a build serves', 60_000, isServed)
      try {
        await waitForIndexHead(sql, schema, chain.pause())
        return (await findInconsistency(sql, schema)) ?? (await findWrongIndex(sql, schema, chain.simulation))
      } finally {
        chain.resume()
      }
    },
    stop: async () => {
      await killAllProcesses()
      await chain.close()
      await sql.end({ timeout: 1 })
      await cluster.remove()
      await rm(cache, { recursive: true, force: true })
    },
  }
}

/** Formats percentiles of times in milliseconds. */
export function formatTimes(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${sorted.at(-1) ?? 0} ms (${sorted.length})`
}
