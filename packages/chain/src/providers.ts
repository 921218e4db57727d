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
  /** Called when a second provider is asked because the first has not answered yet. */
  onHedge?: ((provider: string) => void) | undefined
  now?: () => number
  sleep?: (ms: number) => Promise<void>
  /** From 0 to 1, for jitter. */
  random?: () => number
}

/** The longest wait for a provider that asked for fewer requests. A reader would rather have an error than wait longer. */
const maxWaitMs = 2_000

/** At most one read in ten asks two providers, after a first few: otherwise slow providers would get twice the load. */
const [firstHedges, hedgesPerRead] = [20, 0.1]

/** Several providers of one chain. */
export interface Providers {
  all: readonly Provider[]
  /**
   * Runs a whole read on one provider, so that all its calls see one node's chain. If it fails for a reason that another
   * provider may not have, the whole read is retried on the next. If it does not answer as fast as usual, the next one is asked
   * as well, and the first result counts. Reverts and our own bugs are not retried.
   */
  read: <T>(read: (provider: Provider) => Promise<T>) => Promise<T>
}

/** Creates providers in order of preference: the first one that answers and has not failed recently is tried first. Throws if empty. */
export function createProviders(rpcs: readonly Rpc[], chain: Chain, options: ProvidersOptions = {}): Providers {
  const {
    attempts = 3,
    coolDownMs = 10_000,
    deadlineMs = 30_000,
    onFailover,
    onHedge,
    now = Date.now,
    sleep = (ms) => new Promise((done) => setTimeout(done, ms)),
    random = Math.random,
  } = options
  if (rpcs.length === 0) throw new RangeError('A chain needs at least one provider.')
  const all = rpcs.map((rpc) => createProvider(rpc, chain))
  const failedAt = new Map<Provider, number>()
  const isCoolingDown = (provider: Provider) =>
    now() - (failedAt.get(provider) ?? Number.NEGATIVE_INFINITY) < coolDownMs
  const rank = (provider: Provider) => (provider.rpc.health?.rank() ?? 0) + (isCoolingDown(provider) ? 1 : 0)
  // Sorting is stable, so the order of preference is kept among those of the same rank.
  const ordered = () => all.toSorted((a, b) => rank(a) - rank(b))
  let hedges = firstHedges

  /** Reads from one provider, and from another as well once the first is overdue. The first result counts. */
  async function readHedged<T>(
    read: (provider: Provider) => Promise<T>,
    first: Provider,
    findOther: () => Provider | undefined,
  ): Promise<T> {
    const { health, name } = first.rpc
    const started = read(first)
    if (!health) return started
    const isSettled = started.then(
      () => true,
      () => true,
    )
    for (let ms = health.hedgeMs(); !(await Promise.race([isSettled, wait(ms)])); ms = overdueCheckMs) {
      // A read of many calls takes long as well; only a call without an answer counts.
      const other = health.isOverdue() && hedges >= 1 ? findOther() : undefined
      if (!other) continue
      hedges--
      onHedge?.(name)
      const [fastest, result] = await raceReads([started, read(other)])
      if (fastest === 1) failedAt.set(first, now())
      return result
    }
    return started
  }

  return {
    all,
    async read(read) {
      const start = now()
      hedges = Math.min(firstHedges, hedges + hedgesPerRead)
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
          return await readHedged(read, provider, () => {
            const other = able.find((each) => !tried.has(each) && (each.rpc.health?.rank() ?? 0) < 2)
            if (other) tried.add(other)
            return other
          })
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

/** How often a read that is late is looked at again. */
const overdueCheckMs = 50

/** Resolves to false after a time, without keeping the process alive. */
const wait = (ms: number): Promise<false> => new Promise((done) => setTimeout(done, ms, false).unref())

/**
 * Returns the first result, and which read it is of. An error that another provider would return too is a result. If all fail,
 * throws the error of the first.
 */
async function raceReads<T>(reads: readonly Promise<T>[]): Promise<readonly [number, T]> {
  const failures: unknown[] = []
  const { promise, resolve, reject } = Promise.withResolvers<readonly [number, T]>()
  for (const [index, read] of reads.entries()) {
    read.then(
      (result) => resolve([index, result]),
      (error: unknown) => {
        failures[index] = error
        if (!toChainReadError(error).retryable) reject(error)
        else if (Object.keys(failures).length === reads.length) reject(failures[0])
      },
    )
  }
  return promise
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
