// Serves the HTTP API, or with --check-config only says what is wrong with its configuration. The only file of this app
// with side effects.
import { setTimeout as wait } from 'node:timers/promises'
import { chainOf, createChainReader, createProviders, createRpc, marketPlaces } from '@svc/chain'
import { createIndexReader, servedComparisons, servedCursors } from '@svc/index'
import { createClientOf, createLog, createRateLimit, EnvError, listen, readConfig, stopWith } from '@svc/serve'
import { pino } from 'pino'
import { createActions } from './actions/actions.ts'
import { createApp } from './app.ts'
import { createBudget } from './chat/budget.ts'
import { createChat } from './chat/chat.ts'
import { createGateway } from './chat/gateway.ts'
import { connectDatabase } from './database.ts'
import { createDifferential } from './differential.ts'
import { readEnv, secretsOf } from './env.ts'
import { createHealth } from './health.ts'
import { createMetrics } from './metrics.ts'
import { createPosting } from './posting/posting.ts'
import { createReads } from './reads/reads.ts'
import { createWatch } from './reads/watch.ts'
import { loadSite } from './site.ts'

const { env, deployments: places } = await readConfig(readEnv, process.env).catch((error: unknown) => {
  console.error(error instanceof EnvError ? error.message : error)
  process.exit(1)
})
if (process.argv.includes('--check-config')) {
  console.log('The configuration is complete.')
  process.exit(0)
}

const lines = pino.destination({ dest: 1, sync: false, minLength: 32_768, maxWrite: 65_536, periodicFlush: 250 })
const log = createLog({ level: env.SVC_LOG_LEVEL, secrets: secretsOf(env), to: lines })
const rpcs = env.CHAIN_RPC_URL.map((url, index) => createRpc({ name: `provider ${index + 1}`, url }))
const providers = createProviders(rpcs, chainOf(places.chainId))
const direct = createChainReader(providers, marketPlaces(places))
const sql = connectDatabase(env.SVC_DATABASE_URL)
const watch = createWatch({
  readIndex: () => servedCursors(sql),
  readHead: direct.head,
  listen: async (onMove) => (await sql.listen('svc_index', onMove, onMove)).unlisten,
})
const reads = createReads({
  watch,
  direct,
  index: createIndexReader(sql, direct),
  onPassedOver: (error) => log.warn({ err: (error as Error).message }, 'the index was passed over'),
})
const { LLM_GATEWAY_API_KEY: key, LLM_BASE_URL: baseUrl, SVC_LLM_MODEL: model } = env
const chat = createChat({
  gateway: key && baseUrl && model ? createGateway({ key, baseUrl, model, timeoutMs: env.SVC_CHAT_TIMEOUT_MS }) : null,
  limit: createRateLimit({ perMinute: env.SVC_RATE_CHATS }),
  budget: createBudget(sql, env.SVC_CHAT_DAILY),
})
const stopping = new AbortController()
const app = createApp({
  places,
  reads,
  watch,
  direct,
  posting: createPosting({ sql, providers, places, direct, isNear: reads.isNear }),
  chat,
  publicRpcUrl: env.SVC_PUBLIC_RPC_URL,
  site: env.SVC_SITE_DIR ? await loadSite(env.SVC_SITE_DIR) : null,
  actions: createActions({ providers, places }),
  differential: createDifferential({ read: () => servedComparisons(sql), watch, isNear: reads.isNear }),
  log,
  metrics: createMetrics(watch),
  health: createHealth({ watch, ping: () => sql`select 1`, stopping: stopping.signal }),
  clientOf: createClientOf(env.SVC_TRUSTED_PROXIES),
  stopping: stopping.signal,
  maxInFlight: env.SVC_MAX_IN_FLIGHT,
  perMinute: { reads: env.SVC_RATE_READS, calls: env.SVC_RATE_CALLS },
})
const listening = await listen({
  fetch: app.fetch,
  port: env.SVC_SITE_PORT,
  hostname: env.SVC_SITE_HOST,
  maxConnections: env.SVC_MAX_CONNECTIONS,
  onFault: (err) => log.error({ err }, 'fault'),
})
log.info({ port: listening.port }, 'listening')

stopWith(log, stop)

/** Says that it is not ready, finishes what was begun, then lets go of the database. */
async function stop(): Promise<void> {
  stopping.abort()
  await wait(env.SVC_DRAIN_MS)
  await listening.close(10_000)
  await watch.stop()
  await sql.end({ timeout: 5 })
  log.info({}, 'stopped')
}
