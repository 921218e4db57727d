import { ChainReadError, chainOf, createProviders, createRpc, type MarketReader } from '@svc/chain'
import { servedComparisons } from '@svc/index'
import { createLog, createRateLimit } from '@svc/serve'
import postgres from 'postgres'
import { createActions } from '../../../apps/api/src/actions/actions.ts'
import type { AppDeps } from '../../../apps/api/src/app.ts'
import { createChat } from '../../../apps/api/src/chat/chat.ts'
import { createGateway } from '../../../apps/api/src/chat/gateway.ts'
import { createDifferential } from '../../../apps/api/src/differential.ts'
import { createPosting } from '../../../apps/api/src/posting/posting.ts'
import { createReads } from '../../../apps/api/src/reads/reads.ts'
import type { Watch } from '../../../apps/api/src/reads/watch.ts'
import type { FakeGateway } from '../../harness/fakeGateway.ts'
import type { IndexedWorld } from '../../harness/indexed.ts'
import type { Lack } from './statement.ts'

/** The words of a fault of ours; no client may read them. */
export const faultWords = 'a secret of the service'

/** Fails whatever is asked of it. */
const failing = <T extends object>(error: () => Error): T =>
  new Proxy({} as T, {
    get: () => async () => {
      throw error()
    },
  })

const away = failing<MarketReader>(() => new ChainReadError('Nobody is there.', { retryable: true }))
const faulty = failing<never>(() => new Error(faultWords))
const fault = (): never => {
  throw new Error(faultWords)
}
const unreachable = createProviders([createRpc({ name: 'nobody', url: 'http://127.0.0.1:1' })], chainOf(8453))
const blind: Watch = { indexed: () => null, head: () => null, changed: async () => {}, stop: async () => {} }

/** A chat over the fake gateway. */
export const chatOver = ({ baseUrl }: FakeGateway, timeoutMs = 5_000) =>
  createChat({
    gateway: createGateway({ baseUrl, key: 'sk-conformance', model: 'small', timeoutMs }),
    limit: createRateLimit({ perMinute: 1_000 }),
    budget: async () => true,
  })

/** What each lack puts in the place of the parts of a whole API. */
export function lacksOf(
  { devnet, providers }: IndexedWorld,
  gateway: FakeGateway,
): Readonly<Record<Lack, Partial<AppDeps>>> {
  const places = devnet.deployments
  const nowhere = postgres('postgres://127.0.0.1:1/none', { connect_timeout: 1, max: 1 })
  return {
    limited: { perMinute: { reads: 0, calls: 0 } },
    crowded: { maxInFlight: 0 },
    faulty: {
      reads: faulty,
      posting: faulty,
      actions: faulty,
      chat: { admit: fault, ask: fault },
      differential: fault,
      direct: faulty,
      places: new Proxy(places, { get: fault }),
      log: createLog({ level: 'silent', secrets: [], to: { write: () => {} } }),
    },
    away: {
      reads: createReads({ watch: blind, direct: away, index: away }),
      direct: away,
      actions: createActions({ providers: unreachable, places }),
      differential: createDifferential({ read: () => servedComparisons(nowhere), watch: blind, isNear: () => false }),
      posting: createPosting({ sql: nowhere, providers, places, direct: away, isNear: () => false }),
    },
    keyless: {
      chat: createChat({ gateway: null, limit: createRateLimit({ perMinute: 20 }), budget: async () => false }),
    },
    hanging: { chat: chatOver({ ...gateway, baseUrl: `${gateway.baseUrl}/hang` }, 50) },
    failing: { chat: chatOver({ ...gateway, baseUrl: 'http://127.0.0.1:1/v1' }) },
  }
}
