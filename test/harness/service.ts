import { createIndexReader, servedComparisons, servedCursors } from '@svc/index'
import { createClientOf, createLog, createRateLimit } from '@svc/serve'
import { createActions } from '../../apps/api/src/actions/actions.ts'
import { type AppDeps, createApp } from '../../apps/api/src/app.ts'
import { createChat } from '../../apps/api/src/chat/chat.ts'
import { createDifferential } from '../../apps/api/src/differential.ts'
import { createHealth } from '../../apps/api/src/health.ts'
import { createMetrics } from '../../apps/api/src/metrics.ts'
import { createPosting } from '../../apps/api/src/posting/posting.ts'
import { createReads } from '../../apps/api/src/reads/reads.ts'
import { createWatch, type Watch } from '../../apps/api/src/reads/watch.ts'
import type { IndexedWorld } from './indexed.ts'

/** The API over a world, in this process. */
export interface Service {
  app: ReturnType<typeof createApp>
  watch: Watch
  /** Settles when the API knows of the chain's newest block. */
  caughtUp: () => Promise<void>
  stop: () => Promise<void>
}

/** Starts an API, with other parts where given; several over one world are replicas of each other. */
export async function startService(
  { devnet, sql, providers, direct, reachedHead }: IndexedWorld,
  others: Partial<AppDeps> = {},
): Promise<Service> {
  const watch = createWatch({
    readIndex: () => servedCursors(sql),
    readHead: direct.head,
    listen: async (onMove) => (await sql.listen('svc_index', onMove, onMove)).unlisten,
    pollMs: 100,
  })
  const reads = createReads({ watch, direct, index: createIndexReader(sql, direct) })
  const faults: string[] = []
  const log = createLog({ level: 'error', secrets: [], to: { write: (line) => faults.push(line) } })
  const stopping = new AbortController().signal
  const app = createApp({
    places: devnet.deployments,
    reads,
    watch,
    direct,
    posting: createPosting({ sql, providers, places: devnet.deployments, direct, isNear: reads.isNear }),
    publicRpcUrl: 'http://127.0.0.1:8545',
    site: null,
    actions: createActions({ providers, places: devnet.deployments }),
    differential: createDifferential({ read: () => servedComparisons(sql), watch, isNear: reads.isNear }),
    chat: createChat({ gateway: null, limit: createRateLimit({ perMinute: 20 }), budget: async () => false }),
    log,
    metrics: createMetrics(watch),
    health: createHealth({ watch, ping: () => sql`select 1`, stopping }),
    clientOf: createClientOf([]),
    stopping,
    maxInFlight: 1_000,
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
      // A fault that nobody asserted on is a fault of ours.
      if (faults.length > 0) throw new Error(faults[0])
    },
  }
}
