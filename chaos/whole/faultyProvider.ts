import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../sim/random.ts'
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

interface RpcCall {
  id: unknown
  method: string
  params: unknown[]
}

/** The most blocks that a stale head is behind. */
const maxLag = 6

/** Starts a provider that forwards calls to the chain and injects faults at random. */
export async function startFaultyProvider({
  target,
  random,
  odds,
  tally,
}: FaultyProviderOptions): Promise<FaultyProvider> {
  const agent = new Agent({ keepAlive: true })
  let honest = true
  const happens = (kind: ProviderFaultKind) => !honest && random.chance(odds[kind] ?? 0)
  const countFault = (kind: ProviderFaultKind) => tally.count('provider faults', kind)
  const { port: targetPort } = new URL(target)

  const forward = (text: string): Promise<string> =>
    new Promise((done, fail) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
      const options = { host: '127.0.0.1', port: targetPort, method: 'POST', agent, headers }
      const sent = request(options, async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        done(Buffer.concat(chunks).toString())
      })
      sent.once('error', fail)
      sent.end(text)
    })

  /** The call that is forwarded instead. */
  const rewriteCall = (call: RpcCall, lag: number): RpcCall => {
    const isHead = call.method === 'eth_getBlockByNumber' && call.params[0] === 'latest'
    if (!isHead || lag === 0) return call
    return { ...call, params: [`0x${Math.max(0, seen - lag).toString(16)}`, ...call.params.slice(1)] }
  }
  let seen = 0

  const corruptAnswer = ({ method }: RpcCall, answer: Record<string, unknown>): Record<string, unknown> => {
    const { result } = answer
    const answerWith = (kind: ProviderFaultKind, instead: unknown) => {
      countFault(kind)
      return { ...answer, result: instead }
    }
    if (method === 'eth_getLogs' && Array.isArray(result) && result.length > 0) {
      if (happens('noLogs')) return answerWith('noLogs', [])
      // Never none: an empty list is what `noLogs` answers, and the index believes what two providers agree on.
      if (result.length > 1 && happens('lessLogs'))
        return answerWith('lessLogs', result.slice(0, 1 + random.below(result.length - 1)))
    }
    if (method.startsWith('eth_getBlockBy') && result) {
      if (happens('noBlock')) return answerWith('noBlock', null)
      if (happens('wrongParent')) return answerWith('wrongParent', { ...result, parentHash: `0x${random.word()}` })
    }
    if (method === 'eth_getTransactionReceipt' && result && happens('noReceipt')) return answerWith('noReceipt', null)
    if (method === 'eth_call' && typeof result === 'string' && result.length > 200 && happens('otherStorage')) {
      const at = 2 + random.below(result.length - 2)
      return answerWith(
        'otherStorage',
        `${result.slice(0, at)}${result[at] === '0' ? '1' : '0'}${result.slice(at + 1)}`,
      )
    }
    return answer
  }

  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as RpcCall | RpcCall[]
    const calls = Array.isArray(asked) ? asked : [asked]
    try {
      if (happens('serverError') || happens('tooMany')) {
        const status = random.pick([429, 500, 502, 503])
        countFault(status === 429 ? 'tooMany' : 'serverError')
        return void response.writeHead(status).end('no')
      }
      if (happens('late')) {
        countFault('late')
        await wait(20 + random.below(150))
      }
      const lag = happens('staleHead') ? 1 + random.below(maxLag) : 0
      if (lag > 0) countFault('staleHead')
      const rewritten = calls.map((each) => rewriteCall(each, lag))
      const answers = JSON.parse(await forward(JSON.stringify(Array.isArray(asked) ? rewritten : rewritten[0])))
      const list = (Array.isArray(asked) ? answers : [answers]) as Record<string, unknown>[]
      for (const [index, call] of calls.entries()) {
        const found = (list[index]?.result as { number?: string } | null)?.number
        if (call.method === 'eth_getBlockByNumber' && call.params[0] === 'latest' && lag === 0) seen = Number(found)
      }
      const corrupted = calls.map((call, index) => corruptAnswer(call, list[index] ?? {}))
      const text = JSON.stringify(Array.isArray(asked) ? corrupted : corrupted[0])
      response.setHeader('content-type', 'application/json')
      if (!happens('truncated')) return void response.end(text)
      countFault('truncated')
      response.end(text.slice(0, random.below(text.length)))
    } catch {
      response.destroy()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    setHonest: (value) => {
      honest = value
    },
    async close() {
      server.close()
      server.closeAllConnections()
      agent.destroy()
      await once(server, 'close')
    },
  }
}
