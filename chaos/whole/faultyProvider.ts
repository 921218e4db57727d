import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, serveNode } from '@svc/simulation/chain'
import type { Random } from '@svc/simulation/random'
import { createRemoteNode } from '../providers/provider.ts'
import type { Tally } from './tally.ts'

/** Everything a provider does wrong here. The first line fails, the second returns wrong data. */
export const providerFaultKinds = [
  ...(['serverError', 'tooMany', 'truncated', 'late'] as const),
  ...(['staleHead', 'noLogs', 'lessLogs', 'wrongParent', 'noBlock', 'noReceipt', 'otherStorage'] as const),
] as const

export type ProviderFaultKind = (typeof providerFaultKinds)[number]

/** A provider in front of the chain. */
export interface FaultyProvider {
  url: string
  /** While true, it answers correctly and at once. */
  setHonest: (honest: boolean) => void
  close: () => Promise<void>
}

export interface FaultyProviderOptions {
  target: string
  random: Random
  /** The probability of each fault at each call it applies to. */
  odds: Partial<Record<ProviderFaultKind, number>>
  tally: Tally
}

/** The most blocks that a stale head is behind. */
const maxLag = 6

/** Starts a provider that forwards calls to the chain and injects faults at random. */
export async function startFaultyProvider(options: FaultyProviderOptions): Promise<FaultyProvider> {
  const { target, random, odds, tally } = options
  const node = createRemoteNode(target)
  let [honest, head] = [true, 0]
  const happens = (kind: ProviderFaultKind) => {
    const isNow = !honest && random.chance(odds[kind] ?? 0)
    if (isNow) tally.count('provider faults', kind)
    return isNow
  }

  const corrupt = (method: string, result: unknown): unknown => {
    if (method === 'eth_getLogs' && Array.isArray(result) && result.length > 0) {
      if (happens('noLogs')) return []
      // Never none: an empty list is what `noLogs` answers, and the index believes what two providers agree on.
      if (result.length > 1 && happens('lessLogs')) return result.slice(0, 1 + random.below(result.length - 1))
    }
    if (method.startsWith('eth_getBlockBy') && result) {
      if (happens('noBlock')) return null
      if (happens('wrongParent')) return { ...result, parentHash: `0x${random.word()}` }
    }
    if (method === 'eth_getTransactionReceipt' && result && happens('noReceipt')) return null
    if (method === 'eth_call' && typeof result === 'string' && result.length > 200 && happens('otherStorage')) {
      const at = 2 + random.below(result.length - 2)
      return `${result.slice(0, at)}${result[at] === '0' ? '1' : '0'}${result.slice(at + 1)}`
    }
    return result
  }

  const answer = async (method: string, params: readonly unknown[]): Promise<Answer> => {
    const isHead = method === 'eth_getBlockByNumber' && params[0] === 'latest'
    const isStale = isHead && happens('staleHead')
    const stale = [`0x${Math.max(0, head - 1 - random.below(maxLag)).toString(16)}`, ...params.slice(1)]
    const found = await node.answer(method, isStale ? stale : params)
    if (!('result' in found)) return found
    if (isHead && !isStale) head = Number((found.result as { number?: string } | null)?.number)
    const result = corrupt(method, found.result)
    if (!happens('truncated')) return { result }
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result })
    return { text: text.slice(0, random.below(text.length)) }
  }

  const server = await serveNode(
    // The chain may go while it is asked.
    { answer: (method, params) => answer(method, params).catch(() => ({ status: 502 })) },
    {
      async onRequest() {
        if (happens('serverError')) return { status: random.pick([500, 502, 503]) }
        if (happens('tooMany')) return { status: 429, retryAfter: 0 }
        if (happens('late')) await wait(20 + random.below(150))
        return null
      },
    },
  )
  return {
    url: server.url,
    setHonest: (value) => {
      honest = value
    },
    close: server.close,
  }
}
