import { createProvider, createViemChain, type Provider } from '@svc/chain'
import { type Hex, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { decideNextStep } from '../../apps/indexer/src/nextStep.ts'
import { createNode, type SimNode } from '../../chaos/sim/node.ts'
import { simRpc } from '../../chaos/sim/rpc.ts'
import { createSimulation } from '../../chaos/sim/simulation.ts'

const simulation = createSimulation({ seed: 7, lags: { safe: 20, finalized: 40 } })
simulation.mine(160)
const { chain, places } = simulation
const honest = createNode(simulation)
const start = { number: 10n, hash: chain.blocks[10]?.hash as Hex, timestamp: chain.blocks[10]?.timestamp ?? 0 }
const addresses = Object.values(places.markets.standard)

type Method = { method: string; params: readonly unknown[] }

/** A node that changes the responses of some calls. */
function node(name: string, change: (call: Method, truth: unknown) => unknown = (_, truth) => truth): Provider {
  const lying: SimNode = {
    answer(method, params) {
      const answer = honest.answer(method, params)
      return 'result' in answer ? { result: change({ method, params }, answer.result) } : answer
    },
  }
  return createProvider(simRpc(lying, { name }), createViemChain(places.chainId))
}

const step = (providers: readonly Provider[], maxBlocks = 60, unsettled = 50n) =>
  decideNextStep(providers, start, {
    chainId: places.chainId,
    addresses,
    maxBlocks,
    unsettled,
    hashAt: async (number) => chain.blocks[Number(number)]?.hash ?? null,
    oldest: async () => 0n,
  })
const changeLogs = (change: (logs: readonly Record<string, unknown>[]) => unknown) => (call: Method, truth: unknown) =>
  call.method === 'eth_getLogs' ? change(truth as Record<string, unknown>[]) : truth

test('blocks that are final for both providers have the same logs and timestamps as with all headers', async () => {
  const asked: string[] = []
  const watch = ({ method, params }: Method, truth: unknown) => {
    if (method === 'eth_getBlockByNumber') asked.push(String(params[0]))
    return truth
  }
  const settled = await step([node('a', watch), node('b', watch)])
  const whole = await step([node('a'), node('b')], 60, 1_000n)
  if (settled.kind !== 'append' || whole.kind !== 'append') return expect.unreachable()
  expect(asked.length).toBeLessThan(12)
  expect(settled.logs).toEqual(whole.logs)
  expect(settled.logs.length).toBeGreaterThan(100)
  expect(settled.headers.at(-1)).toMatchObject({ number: 70n, hash: whole.headers.at(-1)?.hash })
  const times = new Map(whole.headers.map(({ number, timestamp }) => [number, timestamp]))
  for (const { number, timestamp } of settled.headers) expect(timestamp).toBe(times.get(number))
})

test('timestamps come from headers if a provider does not return them with logs', async () => {
  const silent = changeLogs((logs) => logs.map(({ blockTimestamp: _, ...log }) => log))
  const [told, untold] = [await step([node('a'), node('b')]), await step([node('a'), node('b', silent)])]
  if (told.kind !== 'append' || untold.kind !== 'append') return expect.unreachable()
  expect(untold.headers.map(({ timestamp }) => timestamp)).toEqual(told.headers.map(({ timestamp }) => timestamp))
})

test('a block that is deep for only one provider is not settled', async () => {
  const lags = ({ params }: Method, truth: unknown) => (params[0] === 'finalized' ? honestBlock(30) : truth)
  const found = await step([node('a'), node('b', lags)])
  expect(found).toMatchObject({ kind: 'append', settled: 30n })
  const claims = ({ params }: Method, truth: unknown) => (params[0] === 'finalized' ? honestBlock(160) : truth)
  expect(await step([node('a', claims), node('b', claims)], 200)).toMatchObject({ settled: 110n })
})

test.each<[string, (call: Method, truth: unknown) => unknown, RegExp]>([
  ['both truncate their lists at the same length', changeLogs((logs) => logs.slice(0, 40)), /agree on the logs/],
  [
    'both return a log of another block',
    changeLogs((logs) => logs.map((log) => ({ ...log, blockHash: hash(1) }))),
    /another|not of|other/,
  ],
  [
    'a log of the last block has another hash',
    changeLogs((logs) => logs.map((log) => (log.blockNumber === '0x46' ? { ...log, blockHash: hash(2) } : log))),
    /another block/,
  ],
  [
    'a timestamp goes back',
    changeLogs((logs) => logs.map((log) => ({ ...log, blockTimestamp: '0x1' }))),
    /has timestamp/,
  ],
  ['the logs are out of order', changeLogs((logs) => logs.toReversed()), /out of order/],
  [
    'they do not build on our block',
    ({ params }, truth) => (params[0] === '0xb' ? { ...(truth as object), parentHash: hash(3) } : truth),
    /does not build/,
  ],
])('rejects the step if %s', async (_, fault, message) => {
  await expect(step([node('a', fault), node('b', fault)])).rejects.toThrow(message)
})

test.each<[string, (call: Method, truth: unknown) => unknown]>([
  ['omits a log', changeLogs((logs) => logs.slice(1))],
  [
    'changes the data of a log',
    changeLogs((logs) => logs.map((log, at) => (at === 3 ? { ...log, data: `${log.data}00` } : log))),
  ],
  [
    'has another last block',
    ({ params }, truth) => (params[0] === '0x46' ? { ...(truth as object), hash: hash(4) } : truth),
  ],
])('rejects the step if the second provider %s', async (_, fault) => {
  await expect(step([node('a'), node('b', fault)])).rejects.toThrow(/do not agree/)
})

test('rejects logs that two providers omit but a third, or the first when read again, returns', async () => {
  const told = await step([node('a'), node('b')])
  const block = told.kind === 'append' && told.logs[50] ? numberToHex(told.logs[50].blockNumber) : expect.unreachable()
  const without = (logs: readonly Record<string, unknown>[]) => logs.filter(({ blockNumber }) => blockNumber !== block)
  const leavesOut = changeLogs(without)
  await expect(step([node('a', leavesOut), node('b', leavesOut), node('c')])).rejects.toThrow(/agree on the logs/)
  let lists = 0
  const once = changeLogs((logs) => (lists++ === 0 ? without(logs) : logs))
  await expect(step([node('a', once), node('b', leavesOut)])).rejects.toThrow(/agree on the logs/)
})

function honestBlock(number: number): unknown {
  const answer = honest.answer('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
  return 'result' in answer ? answer.result : null
}

function hash(number: number): Hex {
  return `0x${number.toString(16).padStart(64, '0')}`
}
