// Notifies wallets of what happens to their tasks; with --check-config, only reports configuration errors. This is the only file of the
// app with side effects.
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createCheckedProviders } from '@svc/chain'
import { profilesSchema } from '@svc/profiles'
import { getChainProfile } from '@svc/protocol'
import {
  createClientResolver,
  createDatabase,
  createLog,
  createLogThrottle,
  createServiceVerifier,
  createSessions,
  createStatements,
  describeDefaultRpc,
  exitWithError,
  getErrorMessage,
  listen,
  readConfig,
  reportConfig,
  stopWith,
  version,
} from '@svc/serve'
import { pino } from 'pino'
import postgres from 'postgres'
import { createNotifierApp } from './app.ts'
import { createOutgoing } from './channels/outgoing.ts'
import { createDeliver } from './deliver.ts'
import { listNotifierSecrets, readNotifierEnv, readOutgoingOptions, variables } from './env.ts'
import { createNotifierHealth } from './health.ts'
import { runJobs } from './jobs.ts'
import { createNotifierMetrics } from './metrics.ts'
import { createCalendars } from './records/calendars.ts'
import { createInbox } from './records/inbox.ts'
import { createPublisherCheck } from './records/publishers.ts'
import { notifySchema } from './records/schema.ts'
import { createSearches } from './records/searches.ts'
import { createSubscriptions } from './records/subscriptions.ts'
import { sweepRecords } from './records/sweep.ts'
import { runFollowerLoop } from './runFollower.ts'

const sweepMs = 3_600_000

const { values: flags } = parseArgs({ options: { 'check-config': { type: 'boolean' } } })
const { env, deployments } = await readConfig(readNotifierEnv, process.env).catch(exitWithError)
if (flags['check-config']) {
  const says = `Configuration is valid: chain ${deployments.chainId}, domains ${env.SVC_NOTIFY_DOMAINS.join(', ')}.`
  await reportConfig({ environment: process.env, variables, deployments, says })
}

const lines = pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 250 })
const log = createLog({ level: env.SVC_LOG_LEVEL, secrets: listNotifierSecrets(env), to: lines })
const rpcNotice = describeDefaultRpc(env.CHAIN_RPC_URL)
if (rpcNotice) log.warn({}, rpcNotice)
const metrics = createNotifierMetrics()
const providers = createCheckedProviders({
  urls: env.CHAIN_RPC_URL,
  deployments,
  onCall: metrics.rpcCall,
  onFailover: (provider, error) => log.debug({ provider, err: error.message }, 'provider failed, trying the next one'),
  onRefused: ({ message }) => log.error({}, message),
})
const sql = postgres(env.SVC_DATABASE_URL, {
  fetch_types: false,
  onnotice: () => {},
  max: 10,
  connect_timeout: 5,
  backoff: () => 0.25,
  connection: { application_name: 'svc-notifier', statement_timeout: 10_000 },
})
const database = createDatabase(sql, notifySchema)
const outgoingOptions = readOutgoingOptions(env, getChainProfile(deployments.chainId).banner)
const outgoing = outgoingOptions && createOutgoing(outgoingOptions)
if (!outgoing) log.warn({}, 'only the inbox: SVC_NOTIFY_KEY is not set')
const stopping = new AbortController()
let followedAt: number | null = null
const fetch = createNotifierApp({
  chainId: deployments.chainId,
  domains: env.SVC_NOTIFY_DOMAINS,
  subscriptions: createSubscriptions(database),
  searches: createSearches(database),
  calendars: createCalendars(database, { siteUrl: env.SVC_SITE_URL ?? '', finalCourt: deployments.shared.finalCourt }),
  outgoing,
  sessions: createSessions(database, { schema: 'notify', signInPath: '/notify/v1/sessions' }),
  statements: createStatements(database, 'notify'),
  inbox: createInbox(database),
  profiles: createDatabase(sql, profilesSchema),
  canPublish: createPublisherCheck(database),
  verifySignature: createServiceVerifier(providers),
  now: Date.now,
  log,
  metrics,
  health: createNotifierHealth({
    ping: () => sql`select 1`,
    stopping: stopping.signal,
    followedAt: () => followedAt,
    now: Date.now,
  }),
  clientOf: createClientResolver(env.SVC_TRUSTED_PROXIES),
  stopping: stopping.signal,
  maxInFlight: env.SVC_MAX_IN_FLIGHT,
  perMinute: env.SVC_RATE_CALLS,
})
const listening = await listen({
  fetch,
  port: env.SVC_NOTIFY_PORT,
  hostname: env.SVC_NOTIFY_HOST,
  maxConnections: env.SVC_MAX_CONNECTIONS,
  onFault: (err) => log.error({ err }, 'fault'),
})
log.info({ version, port: listening.port }, 'listening')
const throttle = createLogThrottle(60_000, Date.now)
const following = runFollowerLoop({
  sql,
  finalCourt: deployments.shared.finalCourt,
  siteUrl: env.SVC_SITE_URL ?? '',
  pollMs: env.SVC_NOTIFY_POLL_MS,
  stopping: stopping.signal,
  onWritten: (kinds) => kinds.forEach(metrics.notified),
  onFollowed: () => {
    followedAt = Date.now()
    metrics.followed()
  },
  onError: (error) => warn(error, 'cannot follow the index, retrying'),
})
const sweeping = runSweeps()
const jobs = runJobs({
  url: env.SVC_DATABASE_URL,
  sql,
  concurrency: env.SVC_NOTIFY_CONCURRENCY,
  stopping: stopping.signal,
  deliver: createDeliver({
    sql,
    send: outgoing?.send ?? (async () => ({ result: 'retry', reason: 'The operator has not set this channel up.' })),
    onAttempt: metrics.attempted,
  }),
  onError: warn,
})

stopWith(log, stop)

/** Reports not ready, finishes open requests, then closes the database. */
async function stop(): Promise<void> {
  stopping.abort()
  await wait(env.SVC_DRAIN_MS)
  await listening.close(10_000)
  await Promise.all([following, jobs, sweeping])
  outgoing?.close()
  await sql.end({ timeout: 5 })
  log.info({}, 'stopped')
}

async function runSweeps(): Promise<void> {
  while (!stopping.signal.aborted) {
    await sweepRecords(database).catch((error: Error) => warn(error, 'cannot sweep, retrying'))
    await wait(sweepMs, undefined, { signal: stopping.signal }).catch(() => {})
  }
}

function warn(error: Error, message: string): void {
  const times = throttle.shouldLog(message)
  if (times !== null) log.warn({ times, err: getErrorMessage(error) }, message)
}
