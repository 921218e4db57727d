// Serves the HTTP API; with --check-config, only reports configuration errors. This is the only file of the app with side
// effects.
import { setTimeout as wait } from 'node:timers/promises'
import { createChainReader, createCheckedProviders, getMarketDeployment } from '@svc/chain'
import { createIndexReader, loadServedComparisons, loadServedCursors } from '@svc/index'
import { profilesSchema } from '@svc/profiles'
import {
  createChainQueue,
  createClientResolver,
  createDatabase,
  createDependencies,
  createLog,
  createRateLimit,
  createSharedCounts,
  createThrottledWarning,
  describeDefaultRpc,
  EnvError,
  exitWithError,
  limitsSchema,
  listen,
  readConfig,
  repeat,
  reportConfig,
  stopWith,
  version,
} from '@svc/serve'
import { createAppMetrics } from '@svc/serve/metrics'
import { pino } from 'pino'
import { createActions } from './actions/actions.ts'
import { createApiApp } from './app.ts'
import { readCertificateEnd } from './certificate.ts'
import { createBudget } from './chat/budget.ts'
import { createChat } from './chat/chat.ts'
import { createChatGateway } from './chat/gateway.ts'
import { connectDatabase } from './database.ts'
import { watchDatabase } from './databaseMetrics.ts'
import { createDifferential } from './differential.ts'
import { listApiSecrets, readApiEnv, variables } from './env.ts'
import { createHealth, type ForwardedName } from './health.ts'
import { createMetrics } from './metrics.ts'
import { createPosting } from './posting/posting.ts'
import { createReads } from './reads/reads.ts'
import { createWatch } from './reads/watch.ts'
import { storeRequestMs } from './serviceForward.ts'
import { loadSite } from './site.ts'

const { env, deployments } = await readConfig(readApiEnv, process.env).catch((error: unknown) => {
  console.error(error instanceof EnvError ? error.message : error)
  process.exit(1)
})
if (process.argv.includes('--check-config')) {
  await reportConfig({ environment: process.env, variables, deployments, summary: 'The configuration is complete.' })
}

const lines = pino.destination({ dest: 1, sync: false, minLength: 32_768, maxWrite: 65_536, periodicFlush: 250 })
const log = createLog({ level: env.SVC_LOG_LEVEL, secrets: listApiSecrets(env), to: lines })
const rpcNotice = describeDefaultRpc(env.CHAIN_RPC_URL)
if (rpcNotice) log.warn({}, rpcNotice)
const { registry, observer } = createAppMetrics()
const providers = createCheckedProviders({
  urls: env.CHAIN_RPC_URL,
  deployments,
  observer,
  onFailover: (provider, error) => log.debug({ provider, err: error.message }, 'provider failed, trying the next one'),
  onRefused: ({ message }) => log.error({}, message),
})
await providers.checkAll().catch(exitWithError)
const dependencies = createDependencies<'database' | 'chain' | ForwardedName>(log)
const direct = createChainReader(providers, getMarketDeployment(deployments))
const sql = connectDatabase(env.SVC_DATABASE_URL)
const watch = createWatch({
  readIndex: dependencies.watch('database', () => loadServedCursors(sql)),
  readHead: dependencies.watch('chain', direct.head),
  listen: async (onMove) => (await sql.listen('svc_index', onMove, onMove)).unlisten,
})
const reads = createReads({
  watch,
  direct,
  index: createIndexReader(sql, direct),
  onRead: (market, { path, stale }) => log.debug({ market, path, stale }, 'read: not cached'),
  onPassedOver: (error) => log.warn({ err: (error as Error).message }, 'index read failed, using the chain'),
})
const limits = createDatabase(sql, limitsSchema)
const shared = {
  reads: createSharedCounts({ database: limits, kind: 'reads' }),
  calls: createSharedCounts({ database: limits, kind: 'calls' }),
  chats: createSharedCounts({ database: limits, kind: 'chats' }),
}
const { LLM_GATEWAY_API_KEY: key, LLM_BASE_URL: baseUrl, SVC_LLM_MODEL: model, SVC_CHAT_REPLY_TOKENS: maxTokens } = env
const limit = env.SVC_CHAT_LIMIT_FIELD && { field: env.SVC_CHAT_LIMIT_FIELD, tokens: maxTokens }
const chat = createChat({
  gateway:
    key && baseUrl && model
      ? createChatGateway({ key, baseUrl, model, limit, timeoutMs: env.SVC_CHAT_TIMEOUT_MS })
      : null,
  limit: createRateLimit({ perMinute: env.SVC_RATE_CHATS, shared: shared.chats }),
  budget: createBudget(limits, { tokensPerDay: env.SVC_CHAT_DAILY_TOKENS }),
  maxTokens,
})
const { SVC_STORE_URL: storeUrl, SVC_STORE_ADDRESS: storeAddress } = env
const store = storeUrl && storeAddress ? { url: storeUrl, address: storeAddress } : null
const stopping = new AbortController()
const chainQueue = createChainQueue({ running: env.SVC_CHAIN_RUNNING, waiting: env.SVC_CHAIN_WAITING })
const metrics = createMetrics({
  watch,
  registry,
  chainQueue,
  areLimitsShared: () => Object.values(shared).every((each) => each.isShared()),
})
watchDatabase(registry, sql)
const app = createApiApp({
  deployments,
  reads,
  watch,
  direct,
  posting: createPosting({ sql, providers, deployments, direct, isNear: reads.isNear }),
  profiles: createDatabase(sql, profilesSchema),
  chat,
  publicRpcUrl: env.SVC_PUBLIC_RPC_URL,
  siteUrl: env.SVC_SITE_URL,
  store,
  notifierUrl: env.SVC_NOTIFY_URL ?? null,
  forward: { store: dependencies.watch('store', fetch), notifier: dependencies.watch('notifier', fetch) },
  site: env.SVC_SITE_DIR ? await loadSite(env.SVC_SITE_DIR) : null,
  chainQueue,
  actions: createActions({ providers, deployments }),
  differential: createDifferential({ read: () => loadServedComparisons(sql), watch, isNear: reads.isNear }),
  log,
  metrics,
  health: createHealth({
    watch,
    ping: () => sql`select 1`,
    stopping: stopping.signal,
    listRefused: providers.listRefused,
    findReason: dependencies.reason,
  }),
  resolveClient: createClientResolver(env.SVC_TRUSTED_PROXIES),
  stopping: stopping.signal,
  maxInFlight: env.SVC_MAX_IN_FLIGHT,
  perMinute: { reads: env.SVC_RATE_READS, calls: env.SVC_RATE_CALLS },
  shared,
})
const listening = await listen({
  fetch: app.fetch,
  port: env.SVC_SITE_PORT,
  hostname: env.SVC_SITE_HOST,
  maxConnections: env.SVC_MAX_CONNECTIONS,
  ...(store && { requestMs: storeRequestMs }),
  onFault: (err) => log.error({ err }, 'fault'),
})
log.info({ version, port: listening.port }, 'listening')

stopWith(log, stop)
const { SVC_SITE_URL: siteUrl } = env
if (siteUrl?.startsWith('https:')) {
  const warn = createThrottledWarning(log)
  void repeat(3_600_000, stopping.signal, () =>
    readCertificateEnd(siteUrl).then(metrics.certificateRead, (error: Error) =>
      warn(error, 'cannot read the certificate'),
    ),
  )
}

/** Reports not ready, finishes open requests, then closes the database. */
async function stop(): Promise<void> {
  stopping.abort()
  await wait(env.SVC_DRAIN_MS)
  await listening.close(10_000)
  await watch.stop()
  for (const each of Object.values(shared)) each.stop()
  await sql.end({ timeout: 5 })
  log.info({}, 'stopped')
}
