import { hashHeader, type Provider, RpcResponseError } from '@svc/chain'
import { createNode, createSimulation, type SimNode } from '@svc/simulation/chain'
import { expect, test } from 'vitest'
import { createFinality, type Finality } from '../../apps/indexer/src/finality.ts'
import { parseHeader } from '../../apps/indexer/src/header.ts'
import { decideNextStep, type FollowedProvider } from '../../apps/indexer/src/nextStep.ts'
import { createSimProvider } from '../harness/followSimulation.ts'

// The last three blocks of this seed have logs of the market.
const simulation = createSimulation({ seed: 2, lags: { safe: 20, finalized: 40 } })
simulation.mine(160)
const { chain, places } = simulation
const honest = createNode(simulation)
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

/** A provider whose newest block is this one, and that has pushed the blocks before it. */
function pushing(name: string, newest: number, onCall: (method: string) => void = () => {}): FollowedProvider {
  const { rpc, client } = node(name)
  const headers = new Map(
    chain.blocks
      .slice(newest - 5, newest + 1)
      .map((block) => [block.hash, parseHeader(rpc, honestBlock(block.number))]),
  )
  return {
    client,
    rpc: {
      ...rpc,
      request(method, params, signal) {
        onCall(method)
        return rpc.request(method, params, signal)
      },
    },
    heads: {
      latest: () => headers.get(chain.blocks[newest]?.hash ?? '0x') ?? null,
      byHash: (hash) => headers.get(hash),
    },
  }
}

const at = (number: number) => {
  const { hash, timestamp } = chain.blocks[number] ?? expect.unreachable()
  return { number: BigInt(number), hash, timestamp }
}
const stepFrom = (number: number, providers: readonly FollowedProvider[], finality?: Finality) =>
  decideNextStep(providers, at(number), {
    chainId: places.chainId,
    addresses,
    maxBlocks: 60,
    finality,
    readHash: async (block) => chain.blocks[Number(block)]?.hash ?? null,
    oldest: async () => 0n,
  })

test('blocks that both providers pushed take one call each, for their logs', async () => {
  const calls: string[] = []
  const finality = { read: async () => 0n, withoutTag: () => [] }
  const pair = ['a', 'b'].map((name) => pushing(name, 160, (method) => calls.push(`${name} ${method}`)))
  const found = await stepFrom(157, pair, finality)
  expect(found).toMatchObject({ kind: 'append', headers: [158, 159, 160].map((number) => at(number)), more: false })
  expect(calls.length).toBeLessThanOrEqual(6)
  expect(new Set(calls)).toEqual(new Set(['a eth_getLogs', 'b eth_getLogs']))
  expect(found).toMatchObject({ logs: ((await stepFrom(157, [node('a'), node('b')])) as { logs: unknown }).logs })
})

test('pushed blocks that do not reach back to the cursor are completed', async () => {
  const found = await stepFrom(140, [pushing('a', 160), pushing('b', 160)])
  expect(found).toMatchObject({ headers: Array.from({ length: 20 }, (_, index) => at(141 + index)) })
})

test('a block counts once both providers have it, and a provider far behind is named', async () => {
  expect(await stepFrom(157, [pushing('a', 160), pushing('b', 159)])).toMatchObject({
    headers: [at(158), at(159)],
    more: false,
  })
  expect(await stepFrom(159, [pushing('a', 160), pushing('b', 159)])).toEqual({ kind: 'wait' })
  expect(await stepFrom(159, [pushing('a', 159), pushing('b', 160)])).toEqual({ kind: 'wait' })
  expect(await stepFrom(160, [pushing('a', 160), pushing('b', 160)])).toEqual({ kind: 'wait' })
  await expect(stepFrom(100, [pushing('a', 160), pushing('b', 100)])).rejects.toThrow(
    'b is at block 100, 60 blocks behind a.',
  )
})

test('a last block that only one provider has stops the step, even if no bloom matches', async () => {
  const other = ({ params }: Method, truth: unknown) =>
    params[0] === 'latest' || params[0] === '0xa0' ? forge(truth) : truth
  await expect(stepFrom(158, [node('a'), node('b', other)])).rejects.toThrow('a and b have different blocks 160.')
})

test('a provider that rejects the tag finalized does not stop the step', async () => {
  const finality = createFinality({ depth: 30 })
  const rejects = ({ params }: Method, truth: unknown) => {
    if (params[0] !== 'finalized') return truth
    throw new RpcResponseError('a', 'eth_getBlockByNumber', { code: -32602, message: 'invalid block tag' })
  }
  expect(await stepFrom(150, [node('a', rejects), node('b')], finality)).toMatchObject({
    kind: 'append',
    finalized: 130n,
  })
  expect(finality.withoutTag()).toEqual(['a'])
})

function honestBlock(number: number): unknown {
  const answer = honest.answer('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
  return 'result' in answer ? answer.result : null
}

/** Changes a block and hashes it again, so that the block itself does not show it. */
function forge(block: unknown): unknown {
  const changed = { ...(block as Record<string, unknown>), extraData: '0x01' }
  return { ...changed, hash: hashHeader(changed) }
}

test('two providers that leave out the logs of the same block once are asked again', async () => {
  const [newest] = (
    await stepFrom(157, [node('a'), node('b')]).then((step) => ('logs' in step ? step.logs : []))
  ).slice(-1)
  const pair = ['a', 'b'].map((name) => {
    let left = 1
    return node(name, ({ method, params }, truth) => {
      const asked = params[0]
      const isBlock = method === 'eth_getLogs' && typeof asked === 'object' && asked !== null && 'blockHash' in asked
      return isBlock && asked.blockHash === newest?.blockHash && left-- > 0 ? [] : truth
    })
  })
  await expect(stepFrom(157, pair)).rejects.toThrow(/logs of block \d+ were missing from the first response/)
  expect(await stepFrom(157, pair)).toMatchObject({ kind: 'append', logs: expect.arrayContaining([newest]) })
})
