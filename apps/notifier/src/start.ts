import { createEstablishedCheck, isEstablished, listRunningTasks } from '@svc/index'
import { profilesSchema } from '@svc/profiles'
import { getChainProfile } from '@svc/protocol'
import {
  createChainQueue,
  createClientResolver,
  createDatabase,
  createPersonalData,
  createServiceVerifier,
  createSessions,
  createSharedLimits,
  createStatements,
  createThrottledWarning,
  createWalletRoom,
  type PartContext,
  repeat,
  type ServingPart,
} from '@svc/serve'
import type { Sql } from 'postgres'
import type { Address } from 'viem'
import { createNotifierApp } from './app.ts'
import { settleNewcomers } from './calls/profile.ts'
import { createOutgoing } from './channels/outgoing.ts'
import { createDeliver } from './deliver.ts'
import { type Env, readOutgoingOptions } from './env.ts'
import { createNotifierHealth } from './health.ts'
import { runJobs } from './jobs.ts'
import { createNotifierMetrics } from './metrics.ts'
import { createCalendars } from './records/calendars.ts'
import { createInbox } from './records/inbox.ts'
import { notifyData } from './records/personalData.ts'
import { createPublisherCheck } from './records/publishers.ts'
import { notifySchema } from './records/schema.ts'
import { createSearches } from './records/searches.ts'
import { createSubscriptions } from './records/subscriptions.ts'
import { sweepRecords } from './records/sweep.ts'
import { runFollowerLoop } from './runFollower.ts'

export { readNotifierEnv } from './env.ts'

const sweepMs = 3_600_000
/** Profiles of newcomers that one sweep looks at. */
const settledAtOnce = 500

/** Notifies wallets of what happens to their tasks. */
export function startNotifier(context: PartContext<Env> & { sql: Sql }): ServingPart {
  const { env, deployments, providers, log, sql, registry, signal } = context
  const metrics = createNotifierMetrics(registry)
  const database = createDatabase(sql, notifySchema)
  const outgoingOptions = readOutgoingOptions(env, getChainProfile(deployments.chainId).banner)
  const outgoing = outgoingOptions && createOutgoing(outgoingOptions)
  if (!outgoing) log.warn({}, 'only the inbox: SVC_NOTIFY_KEY is not set')
  const profiles = createDatabase(sql, profilesSchema)
  const readEstablished = (wallet: Address) => database((open) => isEstablished(open, wallet))
  const canPublish = createPublisherCheck(database)
  const room = createWalletRoom(database, {
    schema: 'notify',
    isEstablished: createEstablishedCheck(database),
    hasDeposit: canPublish,
  })
  let blockTime: number | null = null
  const health = createNotifierHealth({
    ping: () => database((tables) => tables`select 1`),
    stopping: signal,
    readBlockTime: () => blockTime,
    now: Date.now,
  })
  const fetch = createNotifierApp({
    chainId: deployments.chainId,
    domains: env.SVC_NOTIFY_DOMAINS,
    subscriptions: createSubscriptions(database),
    searches: createSearches(database),
    calendars: createCalendars(database, {
      siteUrl: env.SVC_SITE_URL ?? '',
      finalCourt: deployments.shared.finalCourt,
    }),
    outgoing,
    sessions: createSessions(database, { schema: 'notify', signInPath: '/notify/v1/sessions' }),
    statements: createStatements(database, 'notify'),
    inbox: createInbox(database),
    profiles,
    canPublish,
    room,
    personalData: createPersonalData(database, 'notify', notifyData),
    listRunningTasks: (wallet) => database((open) => listRunningTasks(open, wallet)).catch(() => null),
    isEstablished: readEstablished,
    verifySignature: createServiceVerifier(providers),
    now: Date.now,
    log,
    metrics,
    chainQueue: createChainQueue(),
    shared: createSharedLimits(sql, 'notify', signal),
    health,
    resolveClient: createClientResolver(env.SVC_TRUSTED_PROXIES),
    stopping: signal,
    perMinute: env.SVC_RATE_CALLS,
  })
  const warn = createThrottledWarning(log)
  const done = Promise.all([follow(), repeat(sweepMs, signal, runSweep), send()]).finally(() => outgoing?.close())
  return { fetch, readiness: health, done }

  function follow(): Promise<void> {
    return runFollowerLoop({
      sql,
      finalCourt: deployments.shared.finalCourt,
      siteUrl: env.SVC_SITE_URL ?? '',
      pollMs: env.SVC_NOTIFY_POLL_MS,
      stopping: signal,
      onWritten: (kinds) => kinds.forEach(metrics.notified),
      onFollowed: (timestamp) => {
        blockTime = timestamp
        metrics.followed(timestamp)
      },
      onError: (error) => warn(error, 'cannot follow the index, retrying'),
    })
  }

  async function runSweep(): Promise<void> {
    await sweepRecords(database, room)
      .then(() => settleNewcomers({ profiles, canPublish, isEstablished: readEstablished }, null, settledAtOnce))
      .catch((error: Error) => warn(error, 'cannot sweep, retrying'))
  }

  function send(): Promise<void> {
    return runJobs({
      url: env.SVC_DATABASE_URL,
      sql,
      stopping: signal,
      deliver: createDeliver({
        sql,
        send:
          outgoing?.send ?? (async () => ({ result: 'retry', reason: 'The operator has not set this channel up.' })),
        onAttempt: metrics.attempted,
      }),
      onError: warn,
    })
  }
}
