// Holds work bundles and signs receipts; with --check-config, only reports configuration errors. This is the only file of the
// app with side effects.
import { setTimeout as wait } from 'node:timers/promises'
import { createProviders, createRpc, createSigningContext, createViemChain, getMarketDeployment } from '@svc/chain'
import {
  createClientResolver,
  createDatabase,
  createLog,
  createLogThrottle,
  describeDefaultRpc,
  getErrorMessage,
  listen,
  readConfig,
  stopWith,
} from '@svc/serve'
import { pino } from 'pino'
import postgres from 'postgres'
import { privateKeyToAccount } from 'viem/accounts'
import { createStoreApp } from './app.ts'
import { type Env, listStoreSecrets, readStoreEnv, readStoreKey } from './env.ts'
import { createStoreHealth } from './health.ts'
import { createStoreMetrics } from './metrics.ts'
import { createFolderStore } from './objects/folderStore.ts'
import type { ObjectStore } from './objects/objectStore.ts'
import { createS3Store } from './objects/s3Store.ts'
import { createRecords, storeSchema } from './records/records.ts'
import { sweep } from './sweep.ts'
import { createTaskSource } from './taskAccess.ts'
import { createVerifier } from './verifySignature.ts'

/** Time for a part to arrive on a slow line: 4 MiB at about 0.3 Mbit/s. */
const requestMs = 120_000

const { env, deployments, signer } = await readConfig(readStoreEnv, process.env)
  .then(async (config) => ({ ...config, signer: privateKeyToAccount(await readStoreKey(config.env)) }))
  .catch((error: Error) => {
    console.error(error.message)
    process.exit(1)
  })
if (process.argv.includes('--check-config')) {
  console.log(`Configuration is valid: receipts are signed by ${signer.address}, chain ${deployments.chainId}.`)
  process.exit(0)
}

const lines = pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 250 })
const log = createLog({ level: env.SVC_LOG_LEVEL, secrets: listStoreSecrets(env), to: lines })
const rpcNotice = describeDefaultRpc(env.CHAIN_RPC_URL)
if (rpcNotice) log.warn({}, rpcNotice)
const rpcs = env.CHAIN_RPC_URL.map((url, index) => createRpc({ name: `provider ${index + 1}`, url }))
const providers = createProviders(rpcs, createViemChain(deployments.chainId), {
  onFailover: (provider, error) => log.debug({ provider, err: error.message }, 'provider failed, trying the next one'),
})
const sql = postgres(env.SVC_DATABASE_URL, {
  fetch_types: false,
  onnotice: () => {},
  max: 10,
  connect_timeout: 5,
  backoff: () => 0.25,
  connection: { application_name: 'svc-store', statement_timeout: 10_000 },
})
const database = createDatabase(sql, storeSchema)
const objects = createObjects(env)
const tasks = createTaskSource(providers, getMarketDeployment(deployments))
const metrics = createStoreMetrics()
const stopping = new AbortController()
const fetch = createStoreApp({
  signer,
  chainId: deployments.chainId,
  signingContext: (market) => createSigningContext(deployments, market),
  domains: env.SVC_STORE_DOMAINS,
  clerk: env.SVC_STORE_CLERK ?? null,
  objects,
  tasks,
  ...createRecords(database),
  verifySignature: createVerifier(providers),
  now: Date.now,
  log,
  metrics,
  health: createStoreHealth({
    pings: {
      database: () => sql`select 1`,
      objects: objects.ping,
      chain: () => providers.read(({ client }) => client.getBlockNumber()),
    },
    stopping: stopping.signal,
  }),
  clientOf: createClientResolver(env.SVC_TRUSTED_PROXIES),
  stopping: stopping.signal,
  maxInFlight: env.SVC_MAX_IN_FLIGHT,
  perMinute: { reads: env.SVC_RATE_READS, calls: env.SVC_RATE_CALLS },
})
const listening = await listen({
  fetch,
  port: env.SVC_STORE_PORT,
  hostname: env.SVC_STORE_HOST,
  maxConnections: env.SVC_MAX_CONNECTIONS,
  requestMs,
  onFault: (err) => log.error({ err }, 'fault'),
})
log.info({ port: listening.port, address: signer.address }, 'listening')
const sweeping = runSweeps()

stopWith(log, stop)

/** Reports not ready, finishes open requests, then closes the database. */
async function stop(): Promise<void> {
  stopping.abort()
  await wait(env.SVC_DRAIN_MS)
  await listening.close(10_000)
  await sweeping
  await sql.end({ timeout: 5 })
  log.info({}, 'stopped')
}

async function runSweeps(): Promise<void> {
  const throttle = createLogThrottle(60_000, Date.now)
  while (!stopping.signal.aborted) {
    try {
      const report = await sweep({ database, objects, tasks })
      metrics.swept(report)
      if (report.parts + report.tasks > 0) log.info(report, 'swept')
    } catch (error) {
      const times = throttle.shouldLog('sweep')
      if (times !== null) log.warn({ times, err: getErrorMessage(error as Error) }, 'cannot sweep, retrying')
    }
    await wait(env.SVC_STORE_SWEEP_SECONDS * 1_000, undefined, { signal: stopping.signal }).catch(() => {})
  }
}

function createObjects({ SVC_STORE_FOLDER, SVC_STORE_S3_URL, ...s3 }: Env): ObjectStore {
  if (SVC_STORE_FOLDER) return createFolderStore(SVC_STORE_FOLDER)
  return createS3Store({
    url: SVC_STORE_S3_URL ?? '',
    region: s3.SVC_STORE_S3_REGION,
    keyId: s3.SVC_STORE_S3_KEY_ID ?? '',
    secret: s3.SVC_STORE_S3_SECRET ?? '',
  })
}
