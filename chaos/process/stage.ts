import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres, { type Sql } from 'postgres'
import { type Cluster, startCluster } from '../../test/harness/cluster.ts'
import { killAll } from './indexer.ts'
import { type LivingChain, startChain } from './livingChain.ts'

/** What the scenes play on: a chain that lives, a Postgres of their own, and one look at it. */
export interface Stage {
  chain: LivingChain
  url: string
  cluster: Pick<Cluster, 'kill' | 'start'>
  sql: Sql
  /** An indexer's environment. */
  env: (build: string, more?: Readonly<Record<string, string>>) => Record<string, string>
  close: () => Promise<void>
}

/** One thing that must hold, and the figures that go with it. */
export interface Finding {
  what: string
  figures: string
  /** What is wrong; null when nothing is. */
  fault: string | null
}

/** Sets the stage: a chain that is `blocks` blocks old. */
export async function setStage(seed: number, blocks: number): Promise<Stage> {
  const chain = await startChain(seed, blocks)
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
      // As operators are told to.
      NODE_COMPILE_CACHE: cache,
      ...more,
    }),
    close: async () => {
      await killAll()
      await chain.close()
      await sql.end({ timeout: 1 })
      await cluster.remove()
      await rm(cache, { recursive: true, force: true })
    },
  }
}

/** The usual figures of times in milliseconds. */
export function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${sorted.at(-1) ?? 0} ms (${sorted.length})`
}
