import { ChainReadError, createProviders, createRpc, createViemChain, type MarketReader } from '@svc/chain'
import { loadServedComparisons } from '@svc/index'
import { createLog, createRateLimit } from '@svc/serve'
import postgres from 'postgres'
import { createActions } from '../../../apps/api/src/actions/actions.ts'
import type { AppDeps } from '../../../apps/api/src/app.ts'
import { createChat } from '../../../apps/api/src/chat/chat.ts'
import { createChatGateway } from '../../../apps/api/src/chat/gateway.ts'
import { createDifferential } from '../../../apps/api/src/differential.ts'
import { createPosting } from '../../../apps/api/src/posting/posting.ts'
import { createReads } from '../../../apps/api/src/reads/reads.ts'
import type { Watch } from '../../../apps/api/src/reads/watch.ts'
import { createUnconfiguredChat } from '../../harness/bareService.ts'
import type { FakeGateway } from '../../harness/fakeGateway.ts'
import type { IndexedWorld } from '../../harness/indexed.ts'

/** Special conditions of an API over the same world: they cause statuses that no request alone can cause. */
export type Condition = 'limited' | 'crowded' | 'faulty' | 'away' | 'keyless' | 'hanging' | 'failing'

/** The message of an internal error. No client may see it. */
export const faultMessage = 'a secret of the service'

/** An object whose every method fails. */
const failing = <T extends object>(error: () => Error): T =>
  new Proxy({} as T, {
    get: () => async () => {
      throw error()
    },
  })

const away = failing<MarketReader>(() => new ChainReadError('No provider can be reached.', { retryable: true }))
const faulty = failing<never>(() => new Error(faultMessage))
const fault = (): never => {
  throw new Error(faultMessage)
}
const unreachable = createProviders([createRpc({ name: 'nobody', url: 'http://127.0.0.1:1' })], createViemChain(8453))
const blind: Watch = { indexed: () => null, head: () => null, changed: async () => {}, stop: async () => {} }

/** Creates a chat over the fake gateway. */
export const chatOver = ({ baseUrl }: FakeGateway, timeoutMs = 5_000) =>
  createChat({
    gateway: createChatGateway({ baseUrl, key: 'sk-conformance', model: 'small', timeoutMs }),
    limit: createRateLimit({ perMinute: 1_000 }),
    budget: { reserve: async () => ({ settle: async () => {} }) },
    maxTokens: 100,
  })

/** The parts of the API that each condition replaces. */
export function createConditions(
  { devnet, providers }: IndexedWorld,
  gateway: FakeGateway,
): Readonly<Record<Condition, Partial<AppDeps>>> {
  const { deployments } = devnet
  const nowhere = postgres('postgres://127.0.0.1:1/none', { connect_timeout: 1, max: 1 })
  return {
    limited: { perMinute: { reads: 0, calls: 0 } },
    crowded: { maxInFlight: 0 },
    faulty: {
      reads: { isNear: () => true, read: async () => fault(), reach: async () => fault() },
      posting: faulty,
      actions: faulty,
      chat: { admit: fault, ask: fault },
      differential: fault,
      profiles: fault,
      direct: faulty,
      deployments: new Proxy(deployments, { get: fault }),
      log: createLog({ level: 'silent', secrets: [], to: { write: () => {} } }),
    },
    away: {
      reads: createReads({ watch: blind, direct: away, index: away }),
      direct: away,
      actions: createActions({ providers: unreachable, deployments }),
      differential: createDifferential({
        read: () => loadServedComparisons(nowhere),
        watch: blind,
        isNear: () => false,
      }),
      posting: createPosting({ sql: nowhere, providers, deployments, direct: away, isNear: () => false }),
    },
    keyless: {
      chat: createUnconfiguredChat(),
    },
    hanging: { chat: chatOver({ ...gateway, baseUrl: `${gateway.baseUrl}/hang` }, 50) },
    failing: { chat: chatOver({ ...gateway, baseUrl: 'http://127.0.0.1:1/v1' }) },
  }
}
