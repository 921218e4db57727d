import {
  createChainReader,
  createProviders,
  createRpc,
  createViemChain,
  getBlockLogs,
  getLogs,
  getMarketDeployment,
  type Rpc,
} from '@svc/chain'
import { markets } from '@svc/protocol'
import { computeLedger } from '@svc/protocol/internal/money'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createNode } from './node.ts'
import { buildDeployments } from './places.ts'
import { simRpc } from './rpc.ts'
import { type SimServer, serveNode } from './server.ts'
import { createSimulation } from './simulation.ts'

const simulation = createSimulation({ seed: 11, lags: { safe: 5, finalized: 40 } })
simulation.mine(300)
const { chain, oracle, places, wallets } = simulation
const head = chain.head()
const honest = simRpc(createNode(simulation), { name: 'sim' })
let server: SimServer
beforeAll(async () => {
  server = await serveNode(createNode(simulation, { blockTimestamps: false }))
})
afterAll(() => server?.close())

describe.each(['in process', 'over HTTP'])('the chain reader %s', (way) => {
  const reader = () => {
    const rpc = way === 'in process' ? honest : createRpc({ name: 'http', url: server.url })
    const own = getMarketDeployment(buildDeployments(places, Number(simulation.startBlock)))
    return createChainReader(createProviders([rpc], createViemChain(8453)), own)
  }

  test.each(markets)('reads the %s market as it truly is', async (market) => {
    const read = reader()
    const truth = oracle.allAt(head.number)[market]
    const newest = truth.tasks.toReversed()
    expect(await read.head()).toEqual({ number: BigInt(head.number), hash: head.hash, timestamp: head.timestamp })
    expect((await read.listRecent(market, { limit: 100 })).tasks).toEqual(newest.slice(0, 100))
    const open = newest.filter(({ claimableUntil }) => claimableUntil > 0)
    expect((await read.listOpen(market, { limit: 100 })).tasks).toEqual(open.slice(0, 100))
    for (const { number } of [...truth.disputes, ...truth.tasks.slice(0, 5)]) {
      const { detail } = await read.getTask(market, number)
      expect(detail?.task).toEqual(oracle.taskAt(head.number, market, number))
      expect(detail?.dispute).toEqual(oracle.disputeAt(head.number, market, number))
      const { terms, text } = oracle.entriesAt(head.number, market).task(number) ?? {}
      expect({ terms: detail?.terms, text: detail?.text }).toEqual({ terms, text })
    }
    expect((await read.getTask(market, 99_999n)).detail).toBeNull()
    for (const { address } of wallets.slice(0, 6)) {
      expect((await read.getAgent(market, address)).agent).toEqual(oracle.agentAt(head.number, market, address))
      const mine = (who: (typeof newest)[number]['worker']) => who === address
      const posted = newest.filter(({ poster }) => mine(poster))
      const worked = newest.filter(({ worker }) => mine(worker))
      expect((await read.listByPoster(market, address, { limit: 100 })).tasks).toEqual(posted)
      expect((await read.listByWorker(market, address, { limit: 100 })).tasks).toEqual(worked)
      expect((await read.getLedger(market, address)).ledger).toEqual(computeLedger(address, [...posted, ...worked]))
    }
    const byAddress = (a: { address: Address }, b: { address: Address }) => (a.address < b.address ? -1 : 1)
    const { arbitrators } = await read.listArbitrators(market, 100)
    expect(arbitrators.toSorted(byAddress)).toEqual(truth.arbitrators.toSorted(byAddress))
    const { agents } = await read.listAgents(market, 1_000)
    for (const agent of agents) expect(agent).toEqual(oracle.agentAt(head.number, market, agent.address))
    const { union } = await read.getUnion(market)
    expect(union).toMatchObject({
      stakingActive: truth.union.stakingActive,
      totalStaked: truth.union.totalStaked,
    })
    expect(union.totalCreditsIssued).toBeGreaterThanOrEqual(truth.union.totalCreditsIssued)
  })
})

test('logs by range, by hash and by topic are those of the blocks', async () => {
  const address = places.markets.standard.taskRegistry
  const all = await getLogs(honest, { address }, { from: 0n, to: BigInt(head.number) })
  const expected = chain.blocks.flatMap(({ logs }) => logs.filter((log) => log.address === address.toLowerCase()))
  expect(all.map(({ data }) => data)).toEqual(expected.map(({ data }) => data))
  const full = chain.blocks.findLast(({ logs }) => logs.length > 3)
  const own = Object.values(places.markets).flatMap((market) => Object.values(market))
  expect(await getBlockLogs(honest, { address: own }, full?.hash ?? '0x')).toHaveLength(full?.logs.length ?? 0)
  const topic = expected[0]?.topics[1] ?? '0x'
  const ofTask = await getLogs(honest, { address, topics: [null, topic] }, { from: 0n, to: BigInt(head.number) })
  expect(ofTask).toHaveLength(expected.filter(({ topics }) => topics[1] === topic).length)
})

test('a block that is no longer canonical is refused, unless the node keeps such blocks', async () => {
  const own = createSimulation({ seed: 12 })
  own.mine(30)
  const former = own.chain.head()
  own.reorg(1, 2)
  const [strict, lenient] = [false, true].map((keepsOrphans) =>
    simRpc(createNode(own, { keepsOrphans }), { name: 'sim' }),
  ) as [Rpc, Rpc]
  await expect(strict.request('eth_getLogs', [{ blockHash: former.hash }])).rejects.toThrow('unknown block')
  expect(await strict.request('eth_getBlockByHash', [former.hash, false])).toBeNull()
  expect(await lenient.request('eth_getLogs', [{ blockHash: former.hash }])).toHaveLength(former.logs.length)
  await expect(strict.request('eth_call', [{ to: '0x', data: '0x' }, '0xffff'])).rejects.toThrow('header not found')
  await expect(strict.request('eth_sendTransaction', [])).rejects.toThrow('does not exist')
})

test('serves logs fast enough for benches', async () => {
  const range = { fromBlock: '0x0', toBlock: `0x${head.number.toString(16)}` }
  const total = chain.blocks.reduce((sum, { logs }) => sum + logs.length, 0)
  for (const rpc of [honest, createRpc({ name: 'http', url: server.url })]) {
    const begin = performance.now()
    for (let round = 0; round < 5; round++) {
      expect(await rpc.request('eth_getLogs', [range])).toHaveLength(total)
    }
    const speed = Math.round((5 * total * 1000) / (performance.now() - begin))
    console.log(`${speed.toLocaleString('en')} logs/s served ${rpc === honest ? 'in process' : 'over HTTP'}`)
  }
})
