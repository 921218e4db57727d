import {
  BaseError,
  type Chain,
  type Client,
  ContractFunctionRevertedError,
  createClient,
  custom,
  defineChain,
  type Hex,
  type PublicActions,
  publicActions,
  type Transport,
} from 'viem'
import { ChainReadError } from './errors.ts'
import type { Rpc } from './rpc.ts'

/** Reads through one provider. */
export type ChainClient = Client<Transport, Chain, undefined, undefined, PublicActions<Transport, Chain>>

/** One provider: raw calls, and viem's reads on top of them. */
export interface Provider {
  rpc: Rpc
  client: ChainClient
}

/** The chain as we use it. Not viem's `base`: its block time is out of date, and it would bring public endpoints along. */
export function chainOf(id: number, multicall3: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11'): Chain {
  return defineChain({
    id,
    name: id === 8453 ? 'Base' : `Chain ${id}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
    blockTime: 200,
    contracts: { multicall3: { address: multicall3 } },
  })
}

/** A viem client over one endpoint. It neither retries nor caches: `createProviders` decides what is tried again. */
export function providerOf(rpc: Rpc, chain: Chain): Provider {
  const transport = custom({ request: ({ method, params }) => rpc.request(method, params ?? []) }, { retryCount: 0 })
  return {
    rpc,
    client: createClient({ chain, transport, cacheTime: 0, batch: { multicall: false } }).extend(publicActions),
  }
}

export interface ProvidersOptions {
  /** How often one read is tried, over all providers. */
  attempts?: number
  /** For how long a provider that failed is asked last. */
  coolDownMs?: number
  now?: () => number
  sleep?: (ms: number) => Promise<void>
}

/** Several providers of one chain, of which one read uses one at a time. */
export interface Providers {
  all: readonly Provider[]
  /**
   * Runs a whole read on one provider, so that its calls see one node's chain; when it fails for a reason that another
   * could be without, the whole read starts again on the next. Reverts and our own faults are not tried again.
   */
  read: <T>(read: (provider: Provider) => Promise<T>) => Promise<T>
}

/** Providers in order of preference: the first that has not failed lately is asked first. Refuses an empty list. */
export function createProviders(rpcs: readonly Rpc[], chain: Chain, options: ProvidersOptions = {}): Providers {
  const {
    attempts = 3,
    coolDownMs = 10_000,
    now = Date.now,
    sleep = (ms) => new Promise((done) => setTimeout(done, ms)),
  } = options
  if (rpcs.length === 0) throw new RangeError('A chain needs at least one provider.')
  const all = rpcs.map((rpc) => providerOf(rpc, chain))
  const failedAt = new Map<Provider, number>()
  const resting = (provider: Provider) => now() - (failedAt.get(provider) ?? Number.NEGATIVE_INFINITY) < coolDownMs
  // Sorting is stable: among those that rest, and among those that do not, the order of preference stays.
  const ordered = () => all.toSorted((a, b) => Number(resting(a)) - Number(resting(b)))

  return {
    all,
    async read(read) {
      let last: ChainReadError | undefined
      for (let attempt = 0; attempt < attempts; attempt++) {
        // Every provider in turn, then a little later again.
        if (attempt > 0 && attempt % all.length === 0) await sleep(100 * 2 ** Math.min(attempt, 5))
        const provider = ordered()[0]
        if (!provider) break
        try {
          return await read(provider)
        } catch (error) {
          const wrapped = wrap(error)
          if (!wrapped.retryable) throw wrapped
          failedAt.set(provider, now())
          last = wrapped
        }
      }
      throw last ?? new ChainReadError('No provider was asked.', { retryable: true })
    },
  }
}

/**
 * What went wrong as a `ChainReadError`. Of an error of viem's the cause decides; without one the provider answered
 * something that cannot be read, and another may do better. Any other error is a fault of ours.
 */
function wrap(error: unknown): ChainReadError {
  for (let depth = 0, at = error; depth < 20 && at instanceof Error; depth++, at = at.cause) {
    if (at instanceof ChainReadError) return at
  }
  const [message = 'The read failed'] = error instanceof Error ? error.message.split('\n') : [String(error)]
  // A revert inside a multicall comes in a call that succeeded, so no endpoint has said so.
  const reverted =
    error instanceof BaseError && error.walk((at) => at instanceof ContractFunctionRevertedError) !== null
  return new ChainReadError(message, { retryable: error instanceof BaseError && !reverted, cause: error })
}
