import { once } from 'node:events'
import { createChainReader, getMarketDeployment } from '@svc/chain'
import { createIndexReader, loadServedComparisons, loadServedCursors } from '@svc/index'
import { profilesSchema } from '@svc/profiles'
import {
  createChainQueue,
  createClientResolver,
  createDatabase,
  createDependencies,
  createRateLimit,
  createSharedCounts,
  createThrottledWarning,
  limitsSchema,
  type PartContext,
  repeat,
  type ServingPart,
} from '@svc/serve'
import type { Sql } from 'postgres'
import { createActions } from './actions/actions.ts'
import { createApiApp } from './app.ts'
import { readCertificateEnd } from './certificate.ts'
import { createBudget } from './chat/budget.ts'
import { createChat } from './chat/chat.ts'
import { createChatGateway } from './chat/gateway.ts'
import { watchDatabase } from './databaseMetrics.ts'
import { createDifferential } from './differential.ts'
import type { Env } from './env.ts'
import { createHealth, type ForwardedName } from './health.ts'
import { createMetrics } from './metrics.ts'
import { createPosting } from './posting/posting.ts'
import { createReads } from './reads/reads.ts'
import { createWatch } from './reads/watch.ts'
import { loadSite } from './site.ts'

export { readApiEnv } from './env.ts'

/** How long the model may take for a reply of at most so many tokens. */
const [replyMs, replyTokens] = [30_000, 1_000]

/** Serves the HTTP API and the site. */
export async function startApi(context: PartContext<Env> & { sql: Sql }): Promise<ServingPart> {
  const { env, deployments, providers, readHead, log, sql, registry, signal } = context
  const dependencies = createDependencies<'database' | 'chain' | ForwardedName>(log)
  const direct = createChainReader(providers, getMarketDeployment(deployments))
  const watch = createWatch({
    readIndex: dependencies.watch('database', () => loadServedCursors(sql)),
    readHead: dependencies.watch('chain', readHead),
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
  const { LLM_GATEWAY_API_KEY: key, LLM_BASE_URL: baseUrl, SVC_LLM_MODEL: model } = env
  const limit = env.SVC_CHAT_LIMIT_FIELD && { field: env.SVC_CHAT_LIMIT_FIELD, tokens: replyTokens }
  const chat = createChat({
    gateway: key && baseUrl && model ? createChatGateway({ key, baseUrl, model, limit, timeoutMs: replyMs }) : null,
    limit: createRateLimit({ perMinute: env.SVC_RATE_CHATS, shared: shared.chats }),
    budget: createBudget(limits, { tokensPerDay: env.SVC_CHAT_DAILY_TOKENS }),
    maxTokens: replyTokens,
  })
  const { SVC_STORE_URL: storeUrl, SVC_STORE_ADDRESS: storeAddress } = env
  const store = storeUrl && storeAddress ? { url: storeUrl, address: storeAddress } : null
  const chainQueue = createChainQueue({ running: env.SVC_CHAIN_RUNNING, waiting: env.SVC_CHAIN_WAITING })
  const metrics = createMetrics({
    watch,
    registry,
    chainQueue,
    areLimitsShared: () => Object.values(shared).every((each) => each.isShared()),
  })
  watchDatabase(registry, sql)
  const health = createHealth({
    watch,
    ping: () => sql`select 1`,
    stopping: signal,
    listRefused: providers.listRefused,
    findReason: dependencies.reason,
  })
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
    streamHubs: env.SVC_STREAM_HUBS,
    actions: createActions({ providers, deployments }),
    differential: createDifferential({ read: () => loadServedComparisons(sql), watch, isNear: reads.isNear }),
    log,
    metrics,
    health,
    resolveClient: createClientResolver(env.SVC_TRUSTED_PROXIES),
    stopping: signal,
    perMinute: { reads: env.SVC_RATE_READS, calls: env.SVC_RATE_CALLS },
    shared,
  })

  const { SVC_SITE_URL: siteUrl } = env
  const warn = createThrottledWarning(log)
  const watchCertificate = () =>
    readCertificateEnd(siteUrl ?? '').then(metrics.certificateRead, (error: Error) =>
      warn(error, 'cannot read the certificate'),
    )
  return {
    fetch: app.fetch,
    readiness: health,
    done: siteUrl?.startsWith('https:') ? repeat(3_600_000, signal, watchCertificate) : once(signal, 'abort'),
    async close() {
      await watch.stop()
      for (const each of Object.values(shared)) each.stop()
    },
  }
}
