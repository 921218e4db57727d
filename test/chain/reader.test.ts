import { createServer, type Server } from 'node:http'
import {
  ChainReadError,
  chainOf,
  createChainReader,
  createProviders,
  createRpc,
  type MarketReader,
  marketPlaces,
  type Rpc,
} from '@svc/chain'
import { accounts, createScene, type Devnet, multicall3, readStatuses, type Told } from '@svc/devnet'
import { markets, readText } from '@svc/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDemoWorld } from '../harness/demoWorld.ts'

const chain = chainOf(8453, multicall3)
let devnet: Devnet
let told: Told[]
let reader: MarketReader
const calls: string[] = []

beforeAll(async () => {
  ;({ devnet, told } = await startDemoWorld())
  reader = readerOf(counted(createRpc({ name: 'anvil', url: devnet.rpcUrl })))
})
afterAll(() => devnet?.stop())

function readerOf(...rpcs: Rpc[]): MarketReader {
  return createChainReader(createProviders(rpcs, chain, { sleep: async () => {} }), marketPlaces(devnet.deployments))
}

const counted = (rpc: Rpc): Rpc => ({
  ...rpc,
  request: (method, params, signal) => {
    calls.push(method)
    return rpc.request(method, params, signal)
  },
})

describe.each(markets)('the %s market read from the chain', (market) => {
  const numbers = () => told.filter((tale) => tale.market === market).map(({ taskId }) => taskId)

  test('open tasks, newest first, in at most three calls', async () => {
    const statuses = await readStatuses(createScene(devnet.client, devnet.deployments, market), numbers())
    const posted = statuses.filter(({ state }) => state === 'POSTED').map(({ taskId }) => taskId)
    calls.length = 0
    const { tasks, next, block } = await reader.listOpen(market, { limit: 100 })
    expect(calls.length).toBeLessThanOrEqual(3)
    expect(tasks.map(({ number }) => number)).toEqual(posted.sort((a, b) => (a < b ? 1 : -1)))
    expect(next).toBeNull()
    expect(block.number).toBe(await devnet.client.getBlockNumber())
  })

  test('pages put together are the whole, whatever their size', async () => {
    const whole = (await reader.listRecent(market, { limit: 100 })).tasks
    expect(whole.map(({ number }) => number)).toEqual(numbers().sort((a, b) => (a < b ? 1 : -1)))
    for (const limit of [1, 7, 33]) {
      const pages = []
      for (let before: bigint | undefined; ; ) {
        const page = await reader.listRecent(market, { limit, before })
        pages.push(...page.tasks)
        if (page.next === null) break
        before = page.next
      }
      expect(pages).toEqual(whole)
    }
  })

  test('lists of a wallet are the tasks that name it', async () => {
    const { tasks } = await reader.listRecent(market, { limit: 100 })
    for (const { address } of [accounts.ada, accounts.emeka, accounts.keeper]) {
      const byPoster = await reader.listByPoster(market, address.toLowerCase() as typeof address, { limit: 100 })
      expect(byPoster.tasks).toEqual(tasks.filter(({ poster }) => poster === address))
      const byWorker = await reader.listByWorker(market, address, { limit: 100 })
      expect(byWorker.tasks).toEqual(tasks.filter(({ worker }) => worker === address))
    }
  })

  test('the ledgers of all wallets add up to all tasks', async () => {
    const { tasks } = await reader.listRecent(market, { limit: 100 })
    const wallets = [...new Set(tasks.map(({ poster }) => poster))]
    const ledgers = await Promise.all(wallets.map((wallet) => reader.getLedger(market, wallet)))
    const held = tasks.reduce((sum, { funded, released, refunded }) => sum + funded - released - refunded, 0n)
    const sum = (of: 'funded' | 'locked' | 'released' | 'disputed') =>
      ledgers.reduce((total, { ledger }) => total + ledger.buyer[of], 0n)
    expect(sum('funded')).toBe(tasks.reduce((total, { funded }) => total + funded, 0n))
    expect(sum('locked') + sum('disputed')).toBe(held)
    expect(ledgers.reduce((total, { ledger }) => total + ledger.buyer.taskCount, 0)).toBe(tasks.length)
  })

  test('a task has its terms, text, dispute and timeline; an unknown one is null', async () => {
    const open = (await reader.listOpen(market, { limit: 1 })).tasks[0]
    const { detail } = await reader.getTask(market, open?.number ?? 0n)
    expect(detail?.task).toEqual(open)
    expect(readText(detail?.text ?? '').canonical).toBe(true)
    expect(detail?.terms.amounts).toEqual(open?.milestones.map(({ amount }) => amount))
    expect(detail?.timeline.map(({ name }) => name)).toContain('TaskPosted')
    const { tasks } = await reader.listRecent(market, { limit: 100 })
    const disputed = tasks.find(({ state }) => state === 'DISPUTED')
    expect((await reader.getTask(market, disputed?.number ?? 0n)).detail?.dispute?.round).toBe(1)
    expect((await reader.getTask(market, 10_000n)).detail).toBeNull()
  })

  test('agents are ranked, arbitrators by bond, the Union and prices are there', async () => {
    const { agents } = await reader.listAgents(market, 3)
    expect(agents).toHaveLength(3)
    const { arbitrators } = await reader.listArbitrators(market, 100)
    expect(arbitrators.map(({ bond }) => bond)).toEqual(
      arbitrators.map(({ bond }) => bond).toSorted((a, b) => (a < b ? 1 : -1)),
    )
    expect((await reader.getUnion(market)).union.stakingActive).toBe(true)
    expect((await reader.getPlanQuote(market, 'basic', 'tok')).quote.amount).toBeGreaterThan(0n)
  })
})

describe('providers that fail', () => {
  const listens = async (answer: Parameters<typeof createServer>[1]): Promise<{ server: Server; url: string }> => {
    const server = createServer(answer)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const address = server.address()
    if (!address || typeof address === 'string') throw new Error('no port')
    return { server, url: `http://127.0.0.1:${address.port}` }
  }
  const good = () => createRpc({ name: 'good', url: devnet.rpcUrl })

  test.each<[string, Parameters<typeof createServer>[1], number?]>([
    ['answers 429', (_, response) => response.writeHead(429).end()],
    ['answers 500', (_, response) => response.writeHead(500).end('oops')],
    ['answers no JSON', (_, response) => response.end('<html>')],
    [
      'breaks off',
      (_, response) => response.writeHead(200, { 'content-length': 100 }).write('{"jso', () => response.destroy()),
    ],
    ['hangs', () => {}],
    ['never ends', (_, response) => void setInterval(() => response.write('x'.repeat(100_000)), 1).unref()],
    ['is of another chain', (_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":"0x"}')],
  ])('one that %s is passed over', async (_, answer) => {
    const { server, url } = await listens(answer)
    const bad = createRpc({ name: 'bad', url, timeoutMs: 300, maxBytes: 1_000_000 })
    const { tasks } = await readerOf(bad, good()).listOpen('standard', { limit: 10 })
    expect(tasks.length).toBeGreaterThan(0)
    await expect(readerOf(bad).listOpen('standard', { limit: 10 })).rejects.toMatchObject({
      name: expect.stringMatching(/ChainReadError|RpcRefusal/),
      retryable: true,
    })
    server.closeAllConnections()
    server.close()
  })

  test('a block that is replaced while it is read is read again', async () => {
    let lies = 1
    const rpc = good()
    const shifty: Rpc = {
      ...rpc,
      request: async (method, params) => {
        const answer = await rpc.request(method, params)
        if (method !== 'eth_getBlockByNumber' || params[0] === 'latest' || lies-- <= 0) return answer
        return { ...(answer as object), hash: `0x${'77'.repeat(32)}` }
      },
    }
    expect((await readerOf(shifty).listOpen('micro', { limit: 5 })).tasks.length).toBeGreaterThan(0)
    lies = 100
    await expect(readerOf(shifty).listOpen('micro', { limit: 5 })).rejects.toThrow(ChainReadError)
  })

  test('a provider that refuses wide ranges is asked for narrow ones', async () => {
    const rpc = good()
    const narrow: Rpc = {
      ...rpc,
      request: (method, params) => {
        const [filter] = params as [{ fromBlock: string; toBlock: string }]
        const wide = method === 'eth_getLogs' && Number(filter.toBlock) - Number(filter.fromBlock) > 500
        return wide ? rpc.request('eth_noSuchMethod', []) : rpc.request(method, params)
      },
    }
    const wanted = await readerOf(good()).listByPoster('standard', accounts.ada.address, { limit: 100 })
    expect((await readerOf(narrow).listByPoster('standard', accounts.ada.address, { limit: 100 })).tasks).toEqual(
      wanted.tasks,
    )
  })
})
