import { type CheckedContracts, checkChain, WrongChainError } from './checkChain.ts'
import type { Deployments } from './deployments.ts'
import { ChainReadError } from './errors.ts'
import { createProviders, createViemChain, type Providers, type ProvidersOptions } from './providers.ts'
import { createRpc, type Rpc, type RpcOptions } from './rpc.ts'

export interface CheckedRpcOptions {
  /** Called when a provider that was right or unknown turns out to be wrong. */
  onRefused?: ((error: WrongChainError) => void) | undefined
  /** How long a provider is trusted until it is checked again. */
  recheckMs?: number
  /** How long a provider that was wrong, or did not answer the check, is left alone. */
  retryMs?: number
  now?: () => number
}

/** A provider that is asked only while it is on the right chain with the right code. */
export interface CheckedRpc extends Rpc {
  /** Checks now. Throws `WrongChainError`, or why the provider does not say. */
  check: (which: CheckedContracts) => Promise<void>
  /** Why it is not used; null if it is used, or was not checked yet. */
  refused: () => WrongChainError | null
}

/**
 * Puts a check in front of a provider. The first call waits for it; later checks run beside the calls, every few minutes as
 * long as there are any. A provider that does not answer a later check keeps the result of the one before.
 */
export function createCheckedRpc(rpc: Rpc, deployments: Deployments, options: CheckedRpcOptions = {}): CheckedRpc {
  const { onRefused, recheckMs = 180_000, retryMs = 10_000, now = Date.now } = options
  let result: { error: WrongChainError | null; due: number; next: CheckedContracts } | null = null
  let pending: Promise<void> | null = null

  const check = async (which: CheckedContracts): Promise<void> => {
    try {
      await checkChain(rpc, deployments, which)
      result = { error: null, due: now() + recheckMs, next: 'registries' }
    } catch (error) {
      if (error instanceof WrongChainError) {
        const isNews = !result?.error
        // Repeats what failed: the registries of a provider whose vault is wrong may be right.
        result = { error, due: now() + retryMs, next: which }
        if (isNews) onRefused?.(error)
      } else if (result) result.due = now() + retryMs
      throw error
    }
  }
  const checkOnce = (): Promise<void> => {
    pending ??= check(result?.next ?? 'registries').finally(() => {
      pending = null
    })
    return pending
  }

  return {
    ...rpc,
    check,
    refused: () => result?.error ?? null,
    // Not awaited once the result is known: headers that are requested in one tick are sent in one batch.
    request(method, params, signal) {
      if (!result) return checkOnce().then(() => rpc.request(method, params, signal))
      if (now() >= result.due) checkOnce().catch(() => {})
      return result.error ? Promise.reject(result.error) : rpc.request(method, params, signal)
    },
  }
}

/** Who records what happens at providers. */
export type ProviderObserver = Pick<RpcOptions, 'onCall' | 'onSilent'> & Pick<ProvidersOptions, 'onHedge'>

export interface CheckedProvidersOptions extends ProvidersOptions, CheckedRpcOptions {
  urls: readonly string[]
  deployments: Deployments
  observer?: ProviderObserver
  /** How long a start waits for a provider. One that is silent is checked before its first use instead. */
  startMs?: number
}

/** Providers of one deployment. Each is checked before its first use and every few minutes. */
export interface CheckedProviders extends Providers {
  /**
   * Checks every provider, for the start of an app: a provider that is wrong then is an error of the configuration. Throws the
   * first `WrongChainError`. `which`: all contracts, unless a start must be quick.
   */
  checkAll: (which?: CheckedContracts) => Promise<void>
  /** Why providers are not used, one sentence each. */
  listRefused: () => string[]
}

/** Creates the providers of a deployment from their URLs. */
export function createCheckedProviders(options: CheckedProvidersOptions): CheckedProviders {
  const { urls, deployments, observer = {}, startMs = 3_000 } = options
  const rpcs = urls.map((url, index) =>
    createCheckedRpc(
      createRpc({ name: `provider ${index + 1}`, url, hasAlternative: urls.length > 1, ...observer }),
      deployments,
      options,
    ),
  )
  return {
    ...createProviders(rpcs, createViemChain(deployments.chainId), { ...options, ...observer }),
    async checkAll(which = 'all') {
      await Promise.all(rpcs.map((rpc) => checkWithin(startMs, rpc, which)))
    },
    listRefused: () => rpcs.flatMap((rpc) => rpc.refused()?.message ?? []),
  }
}

/** Throws only if the provider is wrong. One that does not answer may answer later. */
async function checkWithin(ms: number, rpc: CheckedRpc, which: CheckedContracts): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const done = rpc.check(which).catch((error: unknown) => {
    if (error instanceof WrongChainError || !(error instanceof ChainReadError)) throw error
  })
  await Promise.race([done, late]).finally(() => clearTimeout(timer))
}
