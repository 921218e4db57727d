import { mkdir } from 'node:fs/promises'
import { createSigningContext, getMarketDeployment } from '@svc/chain'
import { createEstablishedCheck, listRunningTasks } from '@svc/index'
import type { Market } from '@svc/protocol'
import {
  createChainQueue,
  createClientResolver,
  createDatabase,
  createServiceVerifier,
  createSharedLimits,
  createThrottledWarning,
  createWalletRoom,
  type PartContext,
  repeat,
  type ServingPart,
} from '@svc/serve'
import type { Sql } from 'postgres'
import type { LocalAccount } from 'viem'
import { createStoreApp } from './app.ts'
import { createDepositCheck } from './depositCheck.ts'
import type { Env } from './env.ts'
import { createStoreHealth } from './health.ts'
import { createStoreMetrics } from './metrics.ts'
import { createWriteCheck } from './objects/checkWrite.ts'
import { openObjects } from './objects/openObjects.ts'
import { createRecords, storeSchema } from './records/records.ts'
import { checkSiteKey } from './siteKey.ts'
import { sweep } from './sweep.ts'
import { createTaskSource } from './taskAccess.ts'

export { readStoreEnv } from './env.ts'

/** Between questions to the site, which store it names. */
const keyCheckMs = 60_000
/** Time for a part to arrive on a slow line: 4 MiB at about 0.3 Mbit/s. */
export const requestMs = 120_000

export interface StoreContext extends PartContext<Env> {
  sql: Sql
  /** Signs receipts. */
  signer: LocalAccount
}

/** Holds work bundles and signs receipts. */
export async function startStore(context: StoreContext): Promise<ServingPart> {
  const { env, deployments, providers, log, sql, signer, registry, signal } = context
  const metrics = createStoreMetrics(registry)
  const database = createDatabase(sql, storeSchema)
  // Before its disk is measured: a folder that is not there counts as a full one.
  if (env.SVC_STORE_FOLDER) await mkdir(env.SVC_STORE_FOLDER, { recursive: true })
  const objects = openObjects(env)
  const records = createRecords(database)
  const tasks = createTaskSource(providers, getMarketDeployment(deployments))
  const hasDeposit = createDepositCheck(providers, getMarketDeployment(deployments))
  const isEstablished = createEstablishedCheck(database)
  const room = createWalletRoom(database, { schema: 'store', isEstablished, hasDeposit })
  let keyDiffers = false
  const health = createStoreHealth({
    pings: {
      database: () => database((tables) => tables`select 1`),
      objects: createWriteCheck(objects),
      chain: () => providers.read(({ client }) => client.getBlockNumber()),
    },
    stopping: signal,
    listRefused: providers.listRefused,
    doesKeyDiffer: () => keyDiffers,
  })
  const fetch = createStoreApp({
    signer,
    chainId: deployments.chainId,
    signingContext: (market: Market) => createSigningContext(deployments, market),
    domains: env.SVC_STORE_DOMAINS,
    clerk: env.SVC_STORE_CLERK ?? null,
    objects,
    tasks,
    ...records,
    hasDeposit,
    isEstablished,
    listRunningTasks: (wallet) => database((open) => listRunningTasks(open, wallet)).catch(() => null),
    room,
    verifySignature: createServiceVerifier(providers),
    now: Date.now,
    log,
    metrics,
    chainQueue: createChainQueue(),
    shared: createSharedLimits(sql, 'store', signal),
    health,
    resolveClient: createClientResolver(env.SVC_TRUSTED_PROXIES),
    stopping: signal,
    perMinute: { reads: env.SVC_RATE_READS, calls: env.SVC_RATE_CALLS },
  })
  const warn = createThrottledWarning(log)
  const { SVC_API_URL: apiUrl } = env
  const done = Promise.all([
    repeat(env.SVC_STORE_SWEEP_SECONDS * 1_000, signal, runSweep),
    apiUrl && repeat(keyCheckMs, signal, () => checkKey(apiUrl)),
  ])
  return { fetch, readiness: health, done }

  function checkKey(siteApi: string): Promise<void> {
    return checkSiteKey({
      apiUrl: siteApi,
      own: signer.address,
      onAnswer(differs) {
        if (differs && !keyDiffers) log.error({ address: signer.address }, 'the site names a store with another key')
        keyDiffers = differs
        metrics.keyDiffers(differs)
      },
      onError: (error) => warn(error, 'cannot ask the site which store it names'),
    })
  }

  async function runSweep(): Promise<void> {
    try {
      const report = await sweep({ database, objects, tasks, room })
      metrics.swept(report)
      if (report.parts + report.tasks + report.mail > 0) log.info(report, 'swept')
    } catch (error) {
      warn(error as Error, 'cannot sweep, retrying')
    }
  }
}
