import { getChainProfile } from '@svc/protocol'
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
import { LogRangeError } from './logs.ts'
import { RateLimitedError, type Rpc } from './rpc.ts'

/** A viem client of one provider. */
export type ChainClient = Client<Transport, Chain, undefined, undefined, PublicActions<Transport, Chain>>

/** One RPC provider: raw calls, and viem's reads on top of them. */
export interface Provider {
  rpc: Rpc
  client: ChainClient
}

/** Creates viem's description of the chain. Not viem's `base`: its block time is outdated and it includes public endpoints. */
export function createViemChain(id: number, multicall3: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11'): Chain {
  const { name, blockTimeMs } = getChainProfile(id)
  return defineChain({
    id,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
    blockTime: blockTimeMs,
    contracts: { multicall3: { address: multicall3 } },
  })
}

/** Creates a viem client for one endpoint. It neither retries nor caches: `createProviders` decides what to retry. */
export function createProvider(rpc: Rpc, chain: Chain): Provider {
  const transport = custom({ request: ({ method, params }) => rpc.request(method, params ?? []) }, { retryCount: 0 })
  return {
    rpc,
    client: createClient({ chain, transport, cacheTime: 0, batch: { multicall: false } }).extend(publicActions),
  }
}

export interface ProvidersOptions {
  /** Maximum attempts of one read, over all providers. */
  attempts?: number
  /** How long a provider that failed is tried last. */
  coolDownMs?: number
  /** How long a read may take before it is not attempted again. */
  deadlineMs?: number
  /** Called when a read goes on to another provider, or to another attempt. */
  onFailover?: (provider: string, error: ChainReadError) => void
  now?: () => number
  sleep?: (ms: number) => Promise<void>
  /** From 0 to 1, for jitter. */
  random?: () => number
}

/** The longest wait for a provider that asked for fewer requests. A reader would rather have an error than wait longer. */
const maxWaitMs = 2_000

/** Several providers of one chain. A read uses one of them at a time. */
export interface Providers {
  all: readonly Provider[]
  /**
   * Runs a whole read on one provider, so that all its calls see one node's chain. If it fails for a reason that another
   * provider may not have, the whole read is retried on the next. Reverts and our own bugs are not retried.
   */
  read: <T>(read: (provider: Provider) => Promise<T>) => Promise<T>
}

/** Creates providers in order of preference: the first one that has not failed recently is tried first. Throws if empty. */
export function createProviders(rpcs: readonly Rpc[], chain: Chain, options: ProvidersOptions = {}): Providers {
  const {
    attempts = 3,
    coolDownMs = 10_000,
    deadlineMs = 30_000,
    onFailover,
    now = Date.now,
    sleep = (ms) => new Promise((done) => setTimeout(done, ms)),
    random = Math.random,
  } = options
  if (rpcs.length === 0) throw new RangeError('A chain needs at least one provider.')
  const all = rpcs.map((rpc) => createProvider(rpc, chain))
  const failedAt = new Map<Provider, number>()
  const isCoolingDown = (provider: Provider) =>
    now() - (failedAt.get(provider) ?? Number.NEGATIVE_INFINITY) < coolDownMs
  // Sorting is stable, so the order of preference is kept among those that cool down and among the others.
  const ordered = () => all.toSorted((a, b) => Number(isCoolingDown(a)) - Number(isCoolingDown(b)))

  return {
    all,
    async read(read) {
      const start = now()
      let tried = new Set<Provider>()
      // Providers whose limits are too narrow for this read, however often it is attempted.
      const unable = new Set<Provider>()
      let last: ChainReadError | undefined
      for (let attempt = 0; attempt < attempts && now() - start < deadlineMs; attempt++) {
        const able = ordered().filter((each) => !unable.has(each))
        if (able.length > 0 && able.every((each) => tried.has(each))) {
          // Every provider in turn, then back off before the next round.
          tried = new Set()
          const backoff = 100 * 2 ** Math.min(attempt, 5) * (0.5 + random() / 2)
          const asked = last instanceof RateLimitedError ? (last.retryAfterMs ?? 0) : 0
          await sleep(Math.min(maxWaitMs, Math.max(backoff, asked)))
        }
        const provider = able.find((each) => !tried.has(each))
        if (!provider) break
        tried.add(provider)
        try {
          return await read(provider)
        } catch (error) {
          const wrapped = toChainReadError(error)
          if (!wrapped.retryable) throw wrapped
          // A provider that cannot do this read is not a provider that failed.
          if (wrapped instanceof LogRangeError) unable.add(provider)
          else failedAt.set(provider, now())
          onFailover?.(provider.rpc.name, wrapped)
          last = wrapped
        }
      }
      throw last ?? new ChainReadError('No provider was tried.', { retryable: true })
    },
  }
}

/**
 * Converts any error to a `ChainReadError`. For a viem error the cause decides; without one the provider's response could not
 * be decoded, and another provider may do better. Any other error is a bug of ours and is not retried.
 */
function toChainReadError(error: unknown): ChainReadError {
  for (let depth = 0, at = error; depth < 20 && at instanceof Error; depth++, at = at.cause) {
    if (at instanceof ChainReadError) return at
  }
  const [message = 'The read failed'] = error instanceof Error ? error.message.split('\n') : [String(error)]
  // A revert inside a multicall arrives in a call that succeeded, so the endpoint did not report an error.
  const reverted =
    error instanceof BaseError && error.walk((at) => at instanceof ContractFunctionRevertedError) !== null
  return new ChainReadError(message, { retryable: error instanceof BaseError && !reverted, cause: error })
}
