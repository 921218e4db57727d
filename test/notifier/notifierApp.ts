import { randomBytes } from 'node:crypto'
import { profilesSchema } from '@svc/profiles'
import { base } from '@svc/protocol'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import {
  createChainQueue,
  createClientResolver,
  createDatabase,
  createLog,
  createPersonalData,
  createSessions,
  createStatements,
  createWalletRoom,
  type Listening,
  listen,
} from '@svc/serve'
import { connectNotifier, ensureKeys } from '@svc/work'
import postgres from 'postgres'
import { type Address, type LocalAccount, zeroAddress } from 'viem'
import { createNotifierApp } from '../../apps/notifier/src/app.ts'
import { contactKeys } from '../../apps/notifier/src/channels/contacts.ts'
import { createOutgoing, type Outgoing, type OutgoingOptions } from '../../apps/notifier/src/channels/outgoing.ts'
import { createNotifierHealth } from '../../apps/notifier/src/health.ts'
import { createNotifierMetrics } from '../../apps/notifier/src/metrics.ts'
import { createCalendars } from '../../apps/notifier/src/records/calendars.ts'
import { createInbox } from '../../apps/notifier/src/records/inbox.ts'
import { notifyData } from '../../apps/notifier/src/records/personalData.ts'
import { createPublisherCheck } from '../../apps/notifier/src/records/publishers.ts'
import { notifySchema } from '../../apps/notifier/src/records/schema.ts'
import { createSearches } from '../../apps/notifier/src/records/searches.ts'
import { createSubscriptions, type Subscriptions } from '../../apps/notifier/src/records/subscriptions.ts'
import { testDomain } from '../harness/storeApp.ts'
import { createMemoryKeyStore, createSignInOptions, getNow } from '../store/devices.ts'

/** Creates a key for contact data. */
export const createContactKey = (id = 'test') => `${id}:${randomBytes(32).toString('base64')}`

export interface TestNotifier extends Listening {
  url: string
  sql: postgres.Sql
  outgoing: Outgoing | null
  subscriptions: Subscriptions
  /** Every line of the log, at its most verbose level. */
  log: string[]
  /** Signs a wallet in. */
  connect: (account: LocalAccount) => Promise<ReturnType<typeof connectNotifier>>
  stop: () => Promise<void>
}

/** Starts the calls of a notifier in this process, without its follower. */
export async function startTestNotifier({
  databaseUrl,
  key = createContactKey(),
  now = Date.now,
  domains = [testDomain],
  chainId = base.id,
  newcomers = new Set(),
  runningTasks = [],
  proxies = [],
  isEstablished = async (wallet) => !newcomers.has(wallet),
  ...options
}: {
  databaseUrl: string
  key?: string | null
  now?: () => number
  domains?: readonly string[]
  chainId?: number
  /** Wallets that are not established. */
  newcomers?: ReadonlySet<Address>
  /** Whose `X-Forwarded-For` counts. */
  proxies?: string[]
  isEstablished?: (wallet: Address) => Promise<boolean>
  /** The tasks of every wallet that run. */
  runningTasks?: string[]
} & Partial<OutgoingOptions>): Promise<TestNotifier> {
  const sql = postgres(databaseUrl, { fetch_types: false, onnotice: () => {}, max: 4 })
  const database = createDatabase(sql, notifySchema)
  const lines: string[] = []
  const log = createLog({ level: 'trace', secrets: [], to: { write: (line) => lines.push(line) } })
  const stopping = new AbortController().signal
  const outgoing =
    key === null
      ? null
      : createOutgoing({ siteUrl: 'https://market.example', ...options, keys: contactKeys.parse(key) })
  const subscriptions = createSubscriptions(database)
  const fetch = createNotifierApp({
    chainId,
    domains,
    sessions: createSessions(database, { schema: 'notify', signInPath: '/notify/v1/sessions' }),
    statements: createStatements(database, 'notify'),
    inbox: createInbox(database),
    profiles: createDatabase(sql, profilesSchema),
    canPublish: createPublisherCheck(database),
    isEstablished,
    personalData: createPersonalData(database, 'notify', notifyData),
    listRunningTasks: async () => runningTasks,
    room: createWalletRoom(database, {
      schema: 'notify',
      isEstablished,
      hasDeposit: async () => false,
    }),
    subscriptions,
    searches: createSearches(database),
    calendars: createCalendars(database, { siteUrl: 'https://market.example', finalCourt: zeroAddress }),
    outgoing,
    verifySignature: verifyKeySignature,
    now,
    log,
    metrics: createNotifierMetrics(),
    health: createNotifierHealth({ ping: () => sql`select 1`, stopping, readBlockTime: () => null, now }),
    resolveClient: createClientResolver(proxies),
    stopping,
    maxInFlight: 100,
    chainQueue: createChainQueue(),
    perMinute: 1_000_000,
  })
  const listening = await listen({
    fetch,
    port: 0,
    hostname: '127.0.0.1',
    maxConnections: 100,
    onFault: (err) => log.error({ err }, 'fault'),
  })
  const url = `http://127.0.0.1:${listening.port}`
  return {
    ...listening,
    url,
    sql,
    outgoing,
    subscriptions,
    log: lines,
    async connect(account) {
      const keys = await ensureKeys(createSignInOptions(account, createMemoryKeyStore(), chainId))
      return connectNotifier({ baseUrl: url, keys, now: getNow, sleep: async () => {} })
    },
    async stop() {
      await listening.close(1_000)
      outgoing?.close()
      await sql.end({ timeout: 1 })
    },
  }
}
