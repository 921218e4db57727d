import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres, { type Sql } from 'postgres'
import { type Cluster, startCluster } from '../../test/harness/cluster.ts'
import { killAllProcesses } from './appProcess.ts'
import { type LiveChain, startLiveChain } from './liveChain.ts'

/** What scenarios run on: a live chain and their own Postgres. */
export interface Fixture {
  chain: LiveChain
  url: string
  cluster: Pick<Cluster, 'kill' | 'start'>
  sql: Sql
  /** The environment of an indexer. */
  env: (build: string, more?: Readonly<Record<string, string>>) => Record<string, string>
  close: () => Promise<void>
}

/** What a scenario showed, with its figures. */
export interface ScenarioResult {
  what: string
  figures: string
  /** What is wrong; null if nothing is. */
  fault: string | null
}

/** Starts a chain with `blocks` blocks, and a Postgres. */
export async function startFixture(seed: number, blocks: number): Promise<Fixture> {
  const chain = await startLiveChain(seed, blocks)
  const cluster = await startCluster()
  const cache = await mkdtemp(join(tmpdir(), 'compiled-'))
  const sql = postgres(cluster.url, { fetch_types: false, onnotice: () => {}, max: 4 })
  return {
    chain,
    url: cluster.url,
    cluster,
    sql,
    env: (build, more) => ({
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
    }),
    close: async () => {
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
