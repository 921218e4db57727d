import { ChainReadError, createRpc, getLogs, RpcResponseError } from '@svc/chain'
import { describe, expect, test } from 'vitest'
import { createRandom } from '../random.ts'
import { freezeChain } from './chain.ts'
import { createFaultyNode, type FaultKind, type FaultOptions, faultKinds } from './faults.ts'
import { rangeLimits } from './limits.ts'
import { createNode } from './node.ts'
import { simRpc } from './rpc.ts'
import { serveNode } from './server.ts'
import { createSimulation } from './simulation.ts'

const simulation = createSimulation({ seed: 21, lags: { safe: 5, finalized: 40 } })
simulation.mine(120)
simulation.reorg(30, 32)
const other = createSimulation({ seed: 22, chainId: 84532 })
other.mine(20)
const { chain } = simulation
const honest = createNode(simulation)
const otherNode = createNode(other)

function nodeWith(odds: FaultOptions['odds'], more: Partial<FaultOptions> = {}, seed = 1) {
  return createFaultyNode(simulation, { random: createRandom(seed), odds, other: otherNode, ...more })
}

/** What a reader of the chain asks again and again. */
function calls(count: number): [string, readonly unknown[]][] {
  const random = createRandom(77)
  return Array.from({ length: count }, () => {
    const number = 1 + random.below(chain.head().number)
    const tag = `0x${number.toString(16)}`
    const { hash = '0x' } = chain.blockAt(number) ?? {}
    const range = { fromBlock: tag, toBlock: `0x${(number + random.below(8)).toString(16)}` }
    return random.pick([
      ['eth_blockNumber', []],
      ['eth_chainId', []],
      ['eth_getBlockByNumber', ['latest', false]],
      ['eth_getBlockByNumber', [tag, false]],
      ['eth_getBlockByHash', [hash, false]],
      ['eth_getLogs', [range]],
      ['eth_getLogs', [{ blockHash: hash }]],
    ] as [string, readonly unknown[]][])
  })
}

describe.each(faultKinds)('%s', (kind: FaultKind) => {
  test('is told, is noted, and is the only thing that is not true', () => {
    const node = nodeWith({ [kind]: 0.3 })
    let lies = 0
    for (const [method, params] of calls(400)) {
      const before = node.lies.length
      const told = JSON.stringify(node.answer(method, params))
      const truth = JSON.stringify(honest.answer(method, params))
      const lied = node.lies.length > before
      // Every note is of an answer that differs, except where another chain happens to say the same.
      if (kind !== 'otherChain' || !lied) expect(told !== truth, `${method} ${JSON.stringify(params)}`).toBe(lied)
      if (lied) expect(node.lies.at(-1)).toMatchObject({ kind, method, call: node.calls() })
      lies += Number(lied)
    }
    expect(lies).toBeGreaterThan(5)
  })

  test('comes from the dice alone', () => {
    const [a, b] = [nodeWith({ [kind]: 0.3 }, {}, 5), nodeWith({ [kind]: 0.3 }, {}, 5)]
    for (const [method, params] of calls(100)) expect(a.answer(method, params)).toEqual(b.answer(method, params))
    expect(a.lies).toEqual(b.lies)
  })
})

test('an honest spell is honest', () => {
  const node = nodeWith(Object.fromEntries(faultKinds.map((kind) => [kind, 1])))
  node.setHonest(true)
  for (const [method, params] of calls(100)) expect(node.answer(method, params)).toEqual(honest.answer(method, params))
  expect(node.lies).toEqual([])
})

test('ranges and results beyond a limit are refused in a provider’s words, and halving them gets all logs', async () => {
  const range = { from: 1n, to: BigInt(chain.head().number) }
  const { taskRegistry: address } = simulation.places.markets.micro
  const all = await getLogs(simRpc(honest, { name: 'honest' }), { address }, range)
  const texts = new Set<string>()
  for (let seed = 0; seed < 12; seed++) {
    for (const more of [{ rangeLimit: rangeLimits[seed % 3] ?? 5 }, { logLimit: 50 }]) {
      const rpc = simRpc(nodeWith({}, more, seed), { name: 'limited' })
      const wide = [{ fromBlock: '0x1', toBlock: 'latest' }]
      const refusal = await rpc.request('eth_getLogs', wide).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(RpcResponseError)
      texts.add((refusal as Error).message)
      expect(await getLogs(rpc, { address }, range)).toEqual(all)
    }
  }
  expect(texts.size).toBeGreaterThan(5)
})

test('a node that always lags answers nothing newer, and a frozen one stays on its branch', async () => {
  const behind = simRpc(nodeWith({}, { lag: 7 }), { name: 'behind' })
  const head = chain.head().number
  expect(Number(await behind.request('eth_blockNumber', []))).toBe(head - 7)
  expect(await behind.request('eth_getBlockByNumber', [`0x${(head - 6).toString(16)}`, false])).toBeNull()
  const own = createSimulation({ seed: 23 })
  own.mine(40)
  const frozen = createNode({ ...own, chain: freezeChain(own.chain) }, { answersCalls: false })
  const before = frozen.answer('eth_getBlockByNumber', ['latest', false])
  own.reorg(10, 12)
  expect(frozen.answer('eth_getBlockByNumber', ['latest', false])).toEqual(before)
})

test('in process and over HTTP the same fault is the same error', async () => {
  const faults: FaultKind[] = ['tooManyRequests', 'serverError', 'notJson', 'truncatedJson', 'silence']
  for (const kind of faults) {
    // Only silence is waited out, so only there is the wait short.
    const timeoutMs = kind === 'silence' ? 50 : 10_000
    const inside = simRpc(nodeWith({ [kind]: 1 }), { name: 'node', timeoutMs })
    const server = await serveNode(nodeWith({ [kind]: 1 }))
    const outside = createRpc({ name: 'node', url: server.url, timeoutMs })
    const messages = []
    for (const rpc of [inside, outside]) {
      const error = await rpc.request('eth_getBlockByNumber', ['latest', false]).catch((cause: unknown) => cause)
      expect(error).toBeInstanceOf(ChainReadError)
      messages.push((error as Error).message)
    }
    await server.close()
    expect(messages[0]).toBe(messages[1])
  }
})
