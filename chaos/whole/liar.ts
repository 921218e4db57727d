import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../sim/random.ts'
import type { Tally } from './tally.ts'

/** Everything that a provider here does wrong. The first line fails, the second tells what is not so. */
export const lieKinds = [
  ...(['serverError', 'tooMany', 'truncated', 'late'] as const),
  ...(['staleHead', 'noLogs', 'lessLogs', 'wrongParent', 'noBlock', 'noReceipt', 'otherStorage'] as const),
] as const

export type LieKind = (typeof lieKinds)[number]

/** A provider before the chain. */
export interface Liar {
  url: string
  /** While true it tells the truth at once. */
  setHonest: (honest: boolean) => void
  close: () => Promise<void>
}

export interface LiarOptions {
  target: string
  random: Random
  /** How likely each kind is at each call it could spoil. */
  odds: Partial<Record<LieKind, number>>
  tally: Tally
}

interface RpcCall {
  id: unknown
  method: string
  params: unknown[]
}

/** So many blocks behind a stale head is at most. */
const maxLag = 6

/** Starts a provider that hands calls on to the chain and lies by the dice. */
export async function startLiar({ target, random, odds, tally }: LiarOptions): Promise<Liar> {
  const agent = new Agent({ keepAlive: true })
  let honest = true
  const happens = (kind: LieKind) => !honest && random.chance(odds[kind] ?? 0)
  const told = (kind: LieKind) => tally.count('lies', kind)
  const { port: targetPort } = new URL(target)

  const ask = (text: string): Promise<string> =>
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

  /** The call that is asked of the chain instead. */
  const bend = (call: RpcCall, lag: number): RpcCall => {
    const isHead = call.method === 'eth_getBlockByNumber' && call.params[0] === 'latest'
    if (!isHead || lag === 0) return call
    return { ...call, params: [`0x${Math.max(0, seen - lag).toString(16)}`, ...call.params.slice(1)] }
  }
  let seen = 0

  const spoil = ({ method }: RpcCall, answer: Record<string, unknown>): Record<string, unknown> => {
    const { result } = answer
    const lie = (kind: LieKind, instead: unknown) => {
      told(kind)
      return { ...answer, result: instead }
    }
    if (method === 'eth_getLogs' && Array.isArray(result) && result.length > 0) {
      if (happens('noLogs')) return lie('noLogs', [])
      if (happens('lessLogs')) return lie('lessLogs', result.slice(0, random.below(result.length)))
    }
    if (method.startsWith('eth_getBlockBy') && result) {
      if (happens('noBlock')) return lie('noBlock', null)
      if (happens('wrongParent')) return lie('wrongParent', { ...result, parentHash: `0x${random.word()}` })
    }
    if (method === 'eth_getTransactionReceipt' && result && happens('noReceipt')) return lie('noReceipt', null)
    if (method === 'eth_call' && typeof result === 'string' && result.length > 200 && happens('otherStorage')) {
      const at = 2 + random.below(result.length - 2)
      return lie('otherStorage', `${result.slice(0, at)}${result[at] === '0' ? '1' : '0'}${result.slice(at + 1)}`)
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
        told(status === 429 ? 'tooMany' : 'serverError')
        return void response.writeHead(status).end('no')
      }
      if (happens('late')) {
        told('late')
        await wait(20 + random.below(150))
      }
      const lag = happens('staleHead') ? 1 + random.below(maxLag) : 0
      if (lag > 0) told('staleHead')
      const bent = calls.map((each) => bend(each, lag))
      const answers = JSON.parse(await ask(JSON.stringify(Array.isArray(asked) ? bent : bent[0])))
      const list = (Array.isArray(asked) ? answers : [answers]) as Record<string, unknown>[]
      for (const [index, call] of calls.entries()) {
        const found = (list[index]?.result as { number?: string } | null)?.number
        if (call.method === 'eth_getBlockByNumber' && call.params[0] === 'latest' && lag === 0) seen = Number(found)
      }
      const spoilt = calls.map((call, index) => spoil(call, list[index] ?? {}))
      const text = JSON.stringify(Array.isArray(asked) ? spoilt : spoilt[0])
      response.setHeader('content-type', 'application/json')
      if (!happens('truncated')) return void response.end(text)
      told('truncated')
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
