import { createIndexReader, loadServedComparisons, loadServedCursors } from '@svc/index'
import { profilesSchema } from '@svc/profiles'
import { createChainQueue, createClientResolver, createDatabase, createLog } from '@svc/serve'
import { createActions } from '../../apps/api/src/actions/actions.ts'
import { type AppDeps, createApiApp } from '../../apps/api/src/app.ts'
import { createDifferential } from '../../apps/api/src/differential.ts'
import { createHealth } from '../../apps/api/src/health.ts'
import { createMetrics } from '../../apps/api/src/metrics.ts'
import { createPosting } from '../../apps/api/src/posting/posting.ts'
import { createReads } from '../../apps/api/src/reads/reads.ts'
import { createWatch, type Watch } from '../../apps/api/src/reads/watch.ts'
import { createUnconfiguredChat } from './bareService.ts'
import type { IndexedWorld } from './indexed.ts'

/** The API over a world, in this process. */
export interface Service {
  app: ReturnType<typeof createApiApp>
  watch: Watch
  /** Resolves when the API knows the chain's newest block. */
  caughtUp: () => Promise<void>
  stop: () => Promise<void>
}

/** Starts an API, with replaced parts if given. Several over one world are replicas of each other. */
export async function startService(
  { devnet, sql, providers, direct, reachedHead }: IndexedWorld,
  others: Partial<AppDeps> = {},
): Promise<Service> {
  const watch = createWatch({
    readIndex: () => loadServedCursors(sql),
    readHead: direct.head,
    listen: async (onMove) => (await sql.listen('svc_index', onMove, onMove)).unlisten,
    pollMs: 100,
  })
  const reads = createReads({ watch, direct, index: createIndexReader(sql, direct) })
  const faults: string[] = []
  const log = createLog({ level: 'error', secrets: [], to: { write: (line) => faults.push(line) } })
  const stopping = new AbortController().signal
  const app = createApiApp({
    deployments: devnet.deployments,
    reads,
    watch,
    direct,
    posting: createPosting({ sql, providers, deployments: devnet.deployments, direct, isNear: reads.isNear }),
    publicRpcUrl: 'http://127.0.0.1:8545',
    siteUrl: 'https://market.example',
    site: null,
    store: null,
    notifierUrl: null,
    // All requests of a test come from one client.
    chainQueue: createChainQueue({ running: 1_000, waiting: 50_000 }),
    actions: createActions({ providers, deployments: devnet.deployments }),
    differential: createDifferential({ read: () => loadServedComparisons(sql), watch, isNear: reads.isNear }),
    profiles: createDatabase(sql, profilesSchema),
    chat: createUnconfiguredChat(),
    log,
    metrics: createMetrics({ watch }),
    health: createHealth({ watch, ping: () => sql`select 1`, stopping }),
    resolveClient: createClientResolver([]),
    stopping,
    perMinute: { reads: 1_000_000, calls: 1_000_000 },
    ...others,
  })
  async function caughtUp(): Promise<void> {
    await reachedHead()
    const { hash } = await devnet.client.getBlock()
    while (watch.indexed('micro')?.hash !== hash || watch.indexed('standard')?.hash !== hash) await watch.changed(1_000)
  }
  await caughtUp()
  return {
    app,
    watch,
    caughtUp,
    async stop() {
      await watch.stop()
      // A logged error that no test expected is a failure.
      if (faults.length > 0) throw new Error(faults[0])
    },
  }
}
