import { hashHeader, type Provider } from '@svc/chain'
import { createNode, createSimulation, type SimNode } from '@svc/simulation/chain'
import { type Hex, numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { decideNextStep, type StepOptions } from '../../apps/indexer/src/nextStep.ts'
import { createSimProvider } from '../harness/followSimulation.ts'

const simulation = createSimulation({ receipts: true, seed: 7, lags: { safe: 20, finalized: 40 } })
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
  return createSimProvider(simulation, lying, name)
}

const nearOptions: StepOptions = {
  chainId: places.chainId,
  addresses,
  maxBlocks: 60,
  unsettled: 1_000n,
  readHash: async (number) => chain.blocks[Number(number)]?.hash ?? null,
  oldest: async () => 0n,
}
const step = (providers: readonly Provider[], maxBlocks = 60, unsettled = 50n) =>
  decideNextStep(providers, start, { ...nearOptions, maxBlocks, unsettled })
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
  // Blocks whose headers are not read come in longer steps; the others do not.
  const options = { ...nearOptions, maxBlocks: 10, maxSettledBlocks: 60 }
  const ends = await Promise.all(
    [50n, 1_000n].map((unsettled) => decideNextStep([node('a'), node('b')], start, { ...options, unsettled })),
  )
  expect(ends.map((each) => each.kind === 'append' && each.headers.at(-1)?.number)).toEqual([70n, 20n])
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
  ['both truncate their lists at the same length', changeLogs((logs) => logs.slice(0, 40)), /than its receipts prove/],
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
    ({ params }, truth) => (params[0] === '0xb' ? forge(truth, { parentHash: hash(3) }) : truth),
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
    ({ params }, truth) => (params[0] === '0x46' ? forge(truth, { extraData: '0x01' }) : truth),
  ],
  [
    'has another first block',
    ({ params }, truth) => (params[0] === '0xb' ? forge(truth, { extraData: '0x01' }) : truth),
  ],
])('rejects the step if the second provider %s', async (_, fault) => {
  await expect(step([node('a'), node('b', fault)])).rejects.toThrow(/^b returned other logs|different blocks/)
})

describe('near the head', () => {
  const near = (providers: readonly Provider[]) => step(providers, 60, 1_000n)
  const changeBlocks = (fields: object) => (call: Method, truth: unknown) =>
    call.method.startsWith('eth_getBlock') ? { ...(truth as object), ...fields } : truth
  const noBloom = { logsBloom: `0x${'0'.repeat(512)}` }

  test.each<[string, (call: Method, truth: unknown) => unknown, RegExp]>([
    ['zeroes its blooms', changeBlocks(noBloom), /liar returned a header of block \d+ with another hash/],
    [
      'shifts its timestamps',
      changeBlocks({ timestamp: '0x1' }),
      /liar returned a header of block \d+ with another hash/,
    ],
    ['has a false chain without logs', forgeChain(noBloom), /different blocks 70/],
    ['has a false chain with other times', forgeChain({ timestamp: '0x7fffffff' }), /different blocks 70/],
  ])('rejects the step if a provider %s, whichever is first', async (_, fault, message) => {
    await expect(near([node('liar', fault), node('b')])).rejects.toThrow(message)
    await expect(near([node('a'), node('liar', fault)])).rejects.toThrow(message)
    await expect(near([node('a'), node('b'), node('liar', fault)])).resolves.toMatchObject({ kind: 'append' })
  })

  test('compares blocks without logs too', async () => {
    const elsewhere = (providers: readonly Provider[]) =>
      decideNextStep(providers, start, { ...nearOptions, addresses: ['0x00000000000000000000000000000000000000aa'] })
    await expect(elsewhere([node('a'), node('b')])).resolves.toMatchObject({ kind: 'append', logs: [] })
    await expect(elsewhere([node('a'), node('b', forgeChain(noBloom))])).rejects.toThrow(/different blocks/)
  })

  test('reads as far as both providers are, and reports one that has stopped', async () => {
    const stopsAt = (number: number) => (call: Method, truth: unknown) =>
      call.params[0] === 'latest' ? honestBlock(number) : truth
    for (const pair of [
      [node('a'), node('b', stopsAt(40))],
      [node('a', stopsAt(40)), node('b')],
    ]) {
      const found = await near(pair)
      expect(found.kind === 'append' && found.headers.at(-1)?.number).toBe(40n)
    }
    await expect(near([node('a'), node('b', stopsAt(10))])).rejects.toThrow('b is at block 10, 150 blocks behind a.')
  })
})

test('one provider with another last block neither rolls back nor halts the index, even if its headers were pruned meanwhile', async () => {
  const liar = node('liar', forgeChainFrom(10, { extraData: '0x01' }))
  for (const readHash of [nearOptions.readHash, async () => null])
    for (const order of [
      [liar, node('b'), node('c')],
      [liar, node('b')],
    ])
      await expect(decideNextStep(order, start, { ...nearOptions, readHash })).rejects.toThrow(
        'liar and b do not agree that block 10 of the index was replaced.',
      )
  const moved = [liar, liar].map(({ client, rpc }, at) => ({ client, rpc: { ...rpc, name: `moved ${at}` } }))
  await expect(decideNextStep(moved, start, nearOptions)).resolves.toEqual({ kind: 'rollback', to: 9n })
  await expect(decideNextStep(moved, start, { ...nearOptions, readHash: async () => null })).rejects.toThrow(
    /do not agree/,
  )
})

test('reads every block with its header while a provider is doubted', async () => {
  const found = await decideNextStep([node('a'), node('b')], start, {
    ...nearOptions,
    unsettled: 50n,
    allTrusted: false,
  })
  expect(found.kind === 'append' && found.headers.length).toBe(60)
})

test('goes on if the third provider fails while two agree on final blocks', async () => {
  const broken = node('c', () => 'nothing')
  const [two, three] = [await step([node('a'), node('b')]), await step([node('a'), node('b'), broken])]
  expect(three).toEqual(two)
})

test('rejects logs that two providers omit but a third returns', async () => {
  const told = await step([node('a'), node('b')])
  const block = told.kind === 'append' && told.logs[50] ? numberToHex(told.logs[50].blockNumber) : expect.unreachable()
  const without = (logs: readonly Record<string, unknown>[]) => logs.filter(({ blockNumber }) => blockNumber !== block)
  const leavesOut = changeLogs(without)
  await expect(step([node('a', leavesOut), node('b', leavesOut), node('c')])).rejects.toThrow(
    /^a and b returned other logs of block \d+ than its receipts prove/,
  )
  // Where nobody can prove it, two outvote the third.
  const unproven = (name: string, fault = (_: Method, truth: unknown) => truth) =>
    node(name, (call, truth) => (call.method === 'eth_getBlockReceipts' ? null : fault(call, truth)))
  await expect(step([unproven('a', leavesOut), unproven('b', leavesOut), unproven('c')])).rejects.toThrow(
    /c does not agree with two/,
  )
})

/** A provider on a chain of its own after the last block of the index. */
function forgeChain(fields: object): (call: Method, truth: unknown) => unknown {
  return forgeChainFrom(11, fields)
}

/** Changes every block from this one on, and links them again by true hashes. */
function forgeChainFrom(from: number, fields: object): (call: Method, truth: unknown) => unknown {
  const forged = new Map<string, Hex>()
  for (const { number } of chain.blocks.slice(from)) {
    const block = honestBlock(number) as { hash: Hex; parentHash: Hex }
    forged.set(
      block.hash,
      forge(block, { ...fields, parentHash: forged.get(block.parentHash) ?? block.parentHash }).hash,
    )
  }
  return ({ method }, truth) => {
    if (method === 'eth_getLogs') return []
    const { hash: known, parentHash } = (truth ?? {}) as { hash: Hex; parentHash: Hex }
    if (!method.startsWith('eth_getBlock') || !forged.has(known)) return truth
    return forge(truth, { ...fields, parentHash: forged.get(parentHash) ?? parentHash })
  }
}

/** Changes fields of a block and hashes it again, so that the block itself does not show it. */
function forge(block: unknown, fields: object): { hash: Hex } {
  const changed = { ...(block as Record<string, unknown>), ...fields }
  return { ...changed, hash: hashHeader(changed) }
}

function honestBlock(number: number): unknown {
  const answer = honest.answer('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
  return 'result' in answer ? answer.result : null
}

function hash(number: number): Hex {
  return `0x${number.toString(16).padStart(64, '0')}`
}
