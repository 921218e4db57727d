// Notifies wallets of what happens to their tasks; with --check-config, only reports configuration errors. This is the only file of the
// app with side effects.
import { parseArgs } from 'node:util'
import { isEstablished } from '@svc/index'
import { profilesSchema } from '@svc/profiles'
import { getChainProfile } from '@svc/protocol'
import {
  createChainQueue,
  createClientResolver,
  createDatabase,
  createServiceBase,
  createServiceVerifier,
  createSessions,
  createSharedLimits,
  createStatements,
  createThrottledWarning,
  exitWithError,
  readConfig,
  repeat,
  reportConfig,
  runService,
} from '@svc/serve'
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
  const summary = `Configuration is valid: chain ${deployments.chainId}, domains ${env.SVC_NOTIFY_DOMAINS.join(', ')}.`
  await reportConfig({ environment: process.env, variables, deployments, summary })
}

const metrics = createNotifierMetrics()
const { log, providers, sql } = createServiceBase({
  name: 'svc-notifier',
  env,
  deployments,
  secrets: listNotifierSecrets(env),
  observer: metrics.observer,
})
const database = createDatabase(sql, notifySchema)
const outgoingOptions = readOutgoingOptions(env, getChainProfile(deployments.chainId).banner)
const outgoing = outgoingOptions && createOutgoing(outgoingOptions)
if (!outgoing) log.warn({}, 'only the inbox: SVC_NOTIFY_KEY is not set')
const stopping = new AbortController()
let blockTime: number | null = null
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
  isEstablished: (wallet) => database((sql) => isEstablished(sql, wallet)),
  verifySignature: createServiceVerifier(providers),
  now: Date.now,
  log,
  metrics,
  chainQueue: createChainQueue(),
  shared: createSharedLimits(sql, 'notify', stopping.signal),
  health: createNotifierHealth({
    ping: () => database((tables) => tables`select 1`),
    stopping: stopping.signal,
    readBlockTime: () => blockTime,
    now: Date.now,
  }),
  resolveClient: createClientResolver(env.SVC_TRUSTED_PROXIES),
  stopping: stopping.signal,
  maxInFlight: env.SVC_MAX_IN_FLIGHT,
  perMinute: env.SVC_RATE_CALLS,
})
const warn = createThrottledWarning(log)
await runService({
  fetch,
  port: env.SVC_NOTIFY_PORT,
  hostname: env.SVC_NOTIFY_HOST,
  env,
  log,
  sql,
  stopping,
  async work() {
    await Promise.all([follow(), repeat(sweepMs, stopping.signal, runSweep), send()])
    outgoing?.close()
  },
})

function follow(): Promise<void> {
  return runFollowerLoop({
    sql,
    finalCourt: deployments.shared.finalCourt,
    siteUrl: env.SVC_SITE_URL ?? '',
    pollMs: env.SVC_NOTIFY_POLL_MS,
    stopping: stopping.signal,
    onWritten: (kinds) => kinds.forEach(metrics.notified),
    onFollowed: (timestamp) => {
      blockTime = timestamp
      metrics.followed(timestamp)
    },
    onError: (error) => warn(error, 'cannot follow the index, retrying'),
  })
}

async function runSweep(): Promise<void> {
  await sweepRecords(database).catch((error: Error) => warn(error, 'cannot sweep, retrying'))
}

function send(): Promise<void> {
  return runJobs({
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
}
