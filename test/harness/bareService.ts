import { ChainReadError, type Deployments, type MarketReader } from '@svc/chain'
import { unavailable } from '@svc/operations'
import { createChainQueue, createClientResolver, createLog, createRateLimit, type Listening, listen } from '@svc/serve'
import { type AppDeps, createApiApp } from '../../apps/api/src/app.ts'
import { createChat } from '../../apps/api/src/chat/chat.ts'
import { createHealth } from '../../apps/api/src/health.ts'
import { createMetrics } from '../../apps/api/src/metrics.ts'
import { createReads } from '../../apps/api/src/reads/reads.ts'
import type { Watch } from '../../apps/api/src/reads/watch.ts'

/** The API on a port, without a chain or an index. */
export interface BareService extends Listening {
  url: string
  /** Everything that was logged. */
  lines: string[]
  stopping: AbortController
}

export interface BareServiceOptions
  extends Partial<
    Pick<
      AppDeps,
      | 'actions'
      | 'chainQueue'
      | 'chat'
      | 'deployments'
      | 'maxInFlight'
      | 'notifierUrl'
      | 'perMinute'
      | 'posting'
      | 'resolveClient'
      | 'store'
    >
  > {
  secrets?: readonly string[]
  watch?: Watch
  reader?: MarketReader
  ping?: () => Promise<unknown>
}

/** A chat without a key: nothing is ever asked or spent. */
export const createUnconfiguredChat = () =>
  createChat({
    gateway: null,
    limit: createRateLimit({ perMinute: 20 }),
    budget: { reserve: failUnreachable },
    maxTokens: 1,
  })

/** Knows no block. */
const blindWatch: Watch = {
  indexed: () => null,
  head: () => null,
  changed: async () => {},
  stop: async () => {},
}

/** Every read fails as if no provider could be reached. */
const unreachable = new Proxy({} as MarketReader, {
  get: () => async () => {
    throw new ChainReadError('No provider can be reached.', { retryable: true })
  },
})

const failUnreachable = async () => {
  throw unavailable('DATABASE_UNREACHABLE', 'No provider can be reached.')
}

export async function startBareService(options: BareServiceOptions = {}): Promise<BareService> {
  const { secrets = [], watch = blindWatch, reader = unreachable, ping = async () => {}, ...rest } = options
  const lines: string[] = []
  const log = createLog({ level: 'info', secrets, to: { write: (line) => lines.push(line) } })
  const stopping = new AbortController()
  const app = createApiApp({
    deployments: { markets: { standard: {}, micro: {} }, shared: {} } as unknown as Deployments,
    reads: createReads({ watch, direct: reader, index: reader }),
    watch,
    direct: reader,
    posting: { quota: failUnreachable, record: failUnreachable, upgrade: failUnreachable, allowance: failUnreachable },
    publicRpcUrl: 'http://127.0.0.1:8545',
    siteUrl: undefined,
    site: null,
    store: null,
    notifierUrl: null,
    chainQueue: createChainQueue(),
    actions: {
      prepare: failUnreachable,
      steps: failUnreachable,
      wallet: failUnreachable,
      court: failUnreachable,
      courtKind: failUnreachable,
    },
    differential: failUnreachable,
    profiles: failUnreachable,
    chat: createUnconfiguredChat(),
    log,
    metrics: createMetrics({ watch }),
    health: createHealth({ watch, ping, stopping: stopping.signal }),
    resolveClient: createClientResolver([]),
    stopping: stopping.signal,
    perMinute: { reads: 1_000_000, calls: 1_000_000 },
    ...rest,
  })
  const listening = await listen({
    fetch: app.fetch,
    port: 0,
    hostname: '127.0.0.1',
    maxConnections: 1_000,
    onFault: (err) => log.error({ err }, 'fault'),
  })
  return { ...listening, url: `http://127.0.0.1:${listening.port}`, lines, stopping }
}
