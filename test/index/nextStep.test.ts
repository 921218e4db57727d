import { chainOf, type Provider, providerOf } from '@svc/chain'
import { type Hex, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { nextStep } from '../../apps/indexer/src/nextStep.ts'
import { createNode, type SimNode } from '../../chaos/sim/node.ts'
import { simRpc } from '../../chaos/sim/rpc.ts'
import { createSimulation } from '../../chaos/sim/simulation.ts'

const simulation = createSimulation({ seed: 5, lags: { safe: 20, finalized: 40 } })
simulation.mine(160)
const { chain, places } = simulation
const honest = createNode(simulation)
const start = { number: 10n, hash: chain.blocks[10]?.hash as Hex, timestamp: chain.blocks[10]?.timestamp ?? 0 }
const addresses = Object.values(places.markets.standard)

type Method = { method: string; params: readonly unknown[] }

/** A node that answers some calls otherwise. */
function node(name: string, change: (call: Method, truth: unknown) => unknown = (_, truth) => truth): Provider {
  const lying: SimNode = {
    answer(method, params) {
      const answer = honest.answer(method, params)
      return 'result' in answer ? { result: change({ method, params }, answer.result) } : answer
    },
  }
  return providerOf(simRpc(lying, { name }), chainOf(places.chainId))
}

const step = (providers: readonly Provider[], maxBlocks = 60, unsettled = 50n) =>
  nextStep(providers, start, {
    chainId: places.chainId,
    addresses,
    maxBlocks,
    unsettled,
    hashAt: async (number) => chain.blocks[Number(number)]?.hash ?? null,
    oldest: async () => 0n,
  })
const logsOf = (change: (logs: readonly Record<string, unknown>[]) => unknown) => (call: Method, truth: unknown) =>
  call.method === 'eth_getLogs' ? change(truth as Record<string, unknown>[]) : truth

test('what is final for both is read with the logs and times that all headers would have given', async () => {
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

test('times come from headers where one provider does not tell them', async () => {
  const silent = logsOf((logs) => logs.map(({ blockTimestamp: _, ...log }) => log))
  const [told, untold] = [await step([node('a'), node('b')]), await step([node('a'), node('b', silent)])]
  if (told.kind !== 'append' || untold.kind !== 'append') return expect.unreachable()
  expect(untold.headers.map(({ timestamp }) => timestamp)).toEqual(told.headers.map(({ timestamp }) => timestamp))
})

test('nothing is settled that lies deep for one provider only', async () => {
  const lags = ({ params }: Method, truth: unknown) => (params[0] === 'finalized' ? honestBlock(30) : truth)
  const found = await step([node('a'), node('b', lags)])
  expect(found).toMatchObject({ kind: 'append', settled: 30n })
  const claims = ({ params }: Method, truth: unknown) => (params[0] === 'finalized' ? honestBlock(160) : truth)
  expect(await step([node('a', claims), node('b', claims)], 200)).toMatchObject({ settled: 110n })
})

test.each<[string, (call: Method, truth: unknown) => unknown, RegExp]>([
  ['both cut their lists off at the same length', logsOf((logs) => logs.slice(0, 40)), /the same logs/],
  [
    'both answer a log of another block',
    logsOf((logs) => logs.map((log) => ({ ...log, blockHash: hash(1) }))),
    /another|not of|other/,
  ],
  [
    'a log of the last block has another hash',
    logsOf((logs) => logs.map((log) => (log.blockNumber === '0x46' ? { ...log, blockHash: hash(2) } : log))),
    /another block/,
  ],
  ['time goes back', logsOf((logs) => logs.map((log) => ({ ...log, blockTimestamp: '0x1' }))), /not of its time/],
  ['the logs come out of order', logsOf((logs) => logs.toReversed()), /out of order/],
  [
    'they do not build on our block',
    ({ params }, truth) => (params[0] === '0xb' ? { ...(truth as object), parentHash: hash(3) } : truth),
    /does not build/,
  ],
])('nothing is believed when %s', async (_, lie, doubt) => {
  await expect(step([node('a', lie), node('b', lie)])).rejects.toThrow(doubt)
})

test.each<[string, (call: Method, truth: unknown) => unknown]>([
  ['leaves a log out', logsOf((logs) => logs.slice(1))],
  ['changes a word', logsOf((logs) => logs.map((log, at) => (at === 3 ? { ...log, data: `${log.data}00` } : log)))],
  [
    'has another last block',
    ({ params }, truth) => (params[0] === '0x46' ? { ...(truth as object), hash: hash(4) } : truth),
  ],
])('nothing is believed when the second %s', async (_, lie) => {
  await expect(step([node('a'), node('b', lie)])).rejects.toThrow(/Not everybody/)
})

test('nothing is believed when two leave out the same block and a third, or the first asked again, has it', async () => {
  const told = await step([node('a'), node('b')])
  const block = told.kind === 'append' && told.logs[50] ? numberToHex(told.logs[50].blockNumber) : expect.unreachable()
  const without = (logs: readonly Record<string, unknown>[]) => logs.filter(({ blockNumber }) => blockNumber !== block)
  const leavesOut = logsOf(without)
  await expect(step([node('a', leavesOut), node('b', leavesOut), node('c')])).rejects.toThrow(/the same logs/)
  let lists = 0
  const once = logsOf((logs) => (lists++ === 0 ? without(logs) : logs))
  await expect(step([node('a', once), node('b', leavesOut)])).rejects.toThrow(/the same logs/)
})

function honestBlock(number: number): unknown {
  const answer = honest.answer('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
  return 'result' in answer ? answer.result : null
}

function hash(number: number): Hex {
  return `0x${number.toString(16).padStart(64, '0')}`
}
