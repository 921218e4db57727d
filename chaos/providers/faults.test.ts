import { createNode, createSimulation, rangeTexts } from '@svc/simulation/chain'
import { createRandom } from '@svc/simulation/random'
import { afterEach, expect, test } from 'vitest'
import {
  capRange,
  capResults,
  delay,
  lagBehind,
  type ProviderFault,
  replaceCode,
  reportChainId,
  shiftTimestamps,
  throttle,
  truncateLogs,
  withoutFinalized,
  zeroBlooms,
} from './faults.ts'
import { startProvider } from './provider.ts'

const simulation = createSimulation({ seed: 31, lags: { safe: 5, finalized: 40 } })
simulation.mine(120)
const head = simulation.chain.head()
const node = createNode(simulation)
const hex = (value: number) => `0x${value.toString(16)}`
const range = (from: number, to: number) => [{ fromBlock: hex(from), toBlock: hex(to) }]

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** Starts a provider and returns how it answers one call or a batch. */
async function ask(fault: ProviderFault, options = {}) {
  const server = await startProvider(node, [fault], options)
  stops.push(server.close)
  const post = async (body: object) => {
    const response = await fetch(server.url, { method: 'POST', body: JSON.stringify(body) })
    const text = await response.text()
    return { status: response.status, headers: response.headers, json: response.ok ? JSON.parse(text) : null }
  }
  return { post, call: (method: string, params: unknown[] = []) => post({ jsonrpc: '2.0', id: 1, method, params }) }
}
/** The honest answer. */
const truth = (method: string, params: unknown[]) => {
  const answer = node.answer(method, params)
  return 'result' in answer ? answer.result : undefined
}

test.each([10, 2_000, 10_000])(
  'a range of more than %i blocks is rejected in the words of each provider',
  async (cap) => {
    for (const text of rangeTexts) {
      const { call } = await ask(capRange(cap, text))
      const [code, message] = text(cap)
      expect((await call('eth_getLogs', range(1, cap + 1))).json).toMatchObject({ error: { code, message } })
      expect((await call('eth_getLogs', range(1, cap))).json.result).toEqual(truth('eth_getLogs', range(1, cap)))
    }
    const { call } = await ask(capRange(cap))
    const byHash = [{ blockHash: head.hash }]
    expect((await call('eth_getLogs', byHash)).json.result).toEqual(truth('eth_getLogs', byHash))
  },
)

test('a long list of logs is rejected, or truncated without a word', async () => {
  const all = truth('eth_getLogs', range(1, 60)) as unknown[]
  expect(all.length).toBeGreaterThan(50)
  const honest = await ask(capResults(50))
  expect((await honest.call('eth_getLogs', range(1, 60))).json.error.code).toBe(-32005)
  expect((await honest.call('eth_getLogs', range(5, 5))).json).toHaveProperty('result')
  const liar = await ask(truncateLogs(50))
  expect((await liar.call('eth_getLogs', range(1, 60))).json.result).toEqual(all.slice(0, 50))
})

test('too many requests are rejected with a status or a code until the next second', async () => {
  let now = 5_000
  const expected = { status: 429, limitExceeded: -32005, overRateLimit: -32016 } as const
  for (const how of ['status', 'limitExceeded', 'overRateLimit'] as const) {
    const { call } = await ask(throttle(2, how, () => now))
    for (let index = 0; index < 2; index++) expect((await call('eth_chainId')).json.result).toBe('0x2105')
    const refused = await call('eth_chainId')
    if (how === 'status') {
      expect(refused.status).toBe(expected[how])
      expect(refused.headers.get('retry-after')).toBe('1')
    } else expect(refused.json.error.code).toBe(expected[how])
    now += 1_000
    expect((await call('eth_chainId')).json.result).toBe('0x2105')
  }
})

test('a batch above the limit is rejected as a whole', async () => {
  const { post } = await ask((inner) => inner, { maxBatch: 3 })
  const batch = (size: number) =>
    Array.from({ length: size }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] }))
  expect((await post(batch(3))).json).toHaveLength(3)
  expect((await post(batch(4))).json).toMatchObject({ id: null, error: { code: -32600 } })
})

test('answers take the latency and at most the jitter more', async () => {
  const { call } = await ask(delay(40, 10, createRandom(1)))
  const start = performance.now()
  await call('eth_chainId')
  // A timer of Node may fire a millisecond early.
  expect(performance.now() - start).toBeGreaterThan(38)
})

test('a stale provider has nothing newer than its head, whatever is asked', async () => {
  const { call } = await ask(lagBehind(7))
  const last = head.number - 7
  expect((await call('eth_blockNumber')).json.result).toBe(hex(last))
  expect((await call('eth_getBlockByNumber', ['latest', false])).json.result.number).toBe(hex(last))
  expect((await call('eth_getBlockByNumber', [hex(last + 1), false])).json.result).toBeNull()
  expect((await call('eth_getBlockByHash', [head.hash, false])).json.result).toBeNull()
  expect((await call('eth_getLogs', range(1, head.number))).json.result).toEqual(truth('eth_getLogs', range(1, last)))
  expect((await call('eth_getBlockByNumber', ['finalized', false])).json.result.number).toBe(
    hex(simulation.chain.finalized().number),
  )
})

test('a lie about a bloom or a timestamp changes nothing else', async () => {
  const params = [hex(30), false]
  const block = truth('eth_getBlockByNumber', params) as Record<string, unknown>
  const zeroed = await ask(zeroBlooms)
  expect((await zeroed.call('eth_getBlockByNumber', params)).json.result).toEqual({
    ...block,
    logsBloom: `0x${'0'.repeat(512)}`,
  })
  const shifted = await ask(shiftTimestamps(60))
  const timestamp = hex(Number(block.timestamp) + 60)
  expect((await shifted.call('eth_getBlockByNumber', params)).json.result).toEqual({ ...block, timestamp })
  const logs = truth('eth_getLogs', range(30, 40)) as Record<string, unknown>[]
  expect((await shifted.call('eth_getLogs', range(30, 40))).json.result).toEqual(
    logs.map((log) => ({ ...log, blockTimestamp: hex(Number(log.blockTimestamp) + 60) })),
  )
})

test('a provider without finalized blocks, of another chain, or with other code', async () => {
  const silent = await ask(withoutFinalized('null'))
  expect((await silent.call('eth_getBlockByNumber', ['finalized', false])).json.result).toBeNull()
  expect((await silent.call('eth_getBlockByNumber', ['latest', false])).json.result.hash).toBe(head.hash)
  const strict = await ask(withoutFinalized('error'))
  expect((await strict.call('eth_getBlockByNumber', ['finalized', false])).json.error.code).toBe(-32602)
  const elsewhere = await ask(reportChainId(84532))
  expect((await elsewhere.call('eth_chainId')).json.result).toBe('0x14a34')
  expect((await elsewhere.call('eth_getBlockByNumber', ['latest', false])).json.result.hash).toBe(head.hash)
  const { taskRegistry } = simulation.places.markets.micro
  const replaced = await ask(replaceCode(taskRegistry, '0x60'))
  expect(
    (await replaced.call('eth_getCode', [taskRegistry.toUpperCase().replace('0X', '0x'), 'latest'])).json.result,
  ).toBe('0x60')
})

test('stands in front of a node behind a URL too', async () => {
  const inner = await startProvider(node, [])
  stops.push(inner.close)
  const outer = await startProvider(inner.url, [capRange(10), lagBehind(1)])
  stops.push(outer.close)
  const post = async (method: string, params: unknown[]) =>
    (await (
      await fetch(outer.url, { method: 'POST', body: JSON.stringify({ id: 1, method, params }) })
    ).json()) as object
  expect(await post('eth_blockNumber', [])).toMatchObject({ result: hex(head.number - 1) })
  expect(await post('eth_getLogs', range(1, 11))).toHaveProperty('error')
})
