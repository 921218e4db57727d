import { createSigningContext, type Deployments } from '@svc/chain'
import { accounts } from '@svc/devnet'
import type { VerifySignature } from '@svc/protocol/negotiation'
import {
  createChainQueue,
  createClientResolver,
  createDatabase,
  createLog,
  createWalletRoom,
  type Listening,
  listen,
  type RoomLimits,
} from '@svc/serve'
import postgres from 'postgres'
import { createStoreApp, type StoreAppDeps } from '../../apps/store/src/app.ts'
import { createStoreHealth } from '../../apps/store/src/health.ts'
import { createStoreMetrics } from '../../apps/store/src/metrics.ts'
import { createWriteCheck } from '../../apps/store/src/objects/checkWrite.ts'
import type { ObjectStore } from '../../apps/store/src/objects/objectStore.ts'
import { createRecords, storeSchema } from '../../apps/store/src/records/records.ts'
import { sweep } from '../../apps/store/src/sweep.ts'
import type { TaskSource } from '../../apps/store/src/taskAccess.ts'

/** The store on a port, in this process. */
export interface TestStore extends Listening {
  url: string
  sql: postgres.Sql
  sweep: () => ReturnType<typeof sweep>
  stop: () => Promise<void>
}

/** The domain whose sign-ins count in tests. */
export const testDomain = 'market.example'

/** The wallet of the clerk in tests. */
export const testClerk = accounts.treasury

/** Starts a store over an object store, a database and a source of tasks. Several over one database are replicas. */
export async function startTestStore({
  objects,
  databaseUrl,
  tasks,
  deployments,
  verifySignature,
  requestMs,
  roomLimits,
  ...others
}: {
  objects: ObjectStore
  databaseUrl: string
  tasks: TaskSource
  deployments: Deployments
  verifySignature: VerifySignature
  requestMs?: number
  roomLimits?: RoomLimits
} & Partial<StoreAppDeps>): Promise<TestStore> {
  const sql = postgres(databaseUrl, {
    fetch_types: false,
    onnotice: () => {},
    max: 10,
    connect_timeout: 5,
    backoff: () => 0.25,
  })
  const database = createDatabase(sql, storeSchema)
  const { hasDeposit = async () => true, isEstablished = async () => true } = others
  const room = createWalletRoom(database, {
    schema: 'store',
    isEstablished,
    hasDeposit,
    ...(roomLimits && { limits: roomLimits }),
  })
  const faults: string[] = []
  const log = createLog({ level: 'error', secrets: [], to: { write: (line) => faults.push(line) } })
  const stopping = new AbortController().signal
  const pings = { database: () => sql`select 1`, objects: createWriteCheck(objects), chain: async () => {} }
  const fetch = createStoreApp({
    signer: accounts.store,
    chainId: deployments.chainId,
    signingContext: (market) => createSigningContext(deployments, market),
    domains: [testDomain],
    clerk: testClerk.address,
    objects,
    tasks,
    ...createRecords(database),
    hasDeposit,
    isEstablished,
    room,
    listRunningTasks: async () => [],
    verifySignature,
    now: Date.now,
    log,
    metrics: createStoreMetrics(),
    health: createStoreHealth({ pings, stopping }),
    resolveClient: createClientResolver([]),
    stopping,
    chainQueue: createChainQueue(),
    perMinute: { reads: 1_000_000, calls: 1_000_000 },
    ...others,
  })
  const listening = await listen({
    fetch,
    port: 0,
    hostname: '127.0.0.1',
    maxConnections: 2_000,
    ...(requestMs && { requestMs }),
    onFault: (err) => log.error({ err }, 'fault'),
  })
  return {
    ...listening,
    url: `http://127.0.0.1:${listening.port}`,
    sql,
    sweep: () => sweep({ database, objects, tasks, room }),
    async stop() {
      await listening.close(1_000)
      await sql.end({ timeout: 1 })
      // A logged error that no test expected is a failure.
      if (faults.length > 0) throw new Error(faults[0])
    },
  }
}
