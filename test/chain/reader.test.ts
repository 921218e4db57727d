import { createServer, type Server } from 'node:http'
import {
  ChainReadError,
  createChainReader,
  createProviders,
  createRpc,
  createViemChain,
  getBlockLogs,
  getMarketDeployment,
  type MarketReader,
  proveBlockLogs,
  type Rpc,
} from '@svc/chain'
import { accounts, createScene, type DemoTask, type Devnet, multicall3, readStatuses } from '@svc/devnet'
import { decodeTaskText, markets } from '@svc/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getHeader } from '../../apps/indexer/src/header.ts'
import { startDemoWorld } from '../harness/demoWorld.ts'

const chain = createViemChain(8453, multicall3)
let devnet: Devnet
let demoTasks: DemoTask[]
let reader: MarketReader
const calls: string[] = []

beforeAll(async () => {
  ;({ devnet, tasks: demoTasks } = await startDemoWorld())
  reader = createReader(counted(createRpc({ name: 'anvil', url: devnet.rpcUrl })))
})
afterAll(() => devnet?.stop())

function createReader(...rpcs: Rpc[]): MarketReader {
  return createChainReader(
    createProviders(rpcs, chain, { sleep: async () => {} }),
    getMarketDeployment(devnet.deployments),
  )
}

const counted = (rpc: Rpc): Rpc => ({
  ...rpc,
  request: (method, params, signal) => {
    calls.push(method)
    return rpc.request(method, params, signal)
  },
})

describe.each(markets)('the %s market read from the chain', (market) => {
  const numbers = () => demoTasks.filter((task) => task.market === market).map(({ taskId }) => taskId)

  test('lists open tasks, newest first, in at most four calls', async () => {
    const statuses = await readStatuses(createScene(devnet.client, devnet.deployments, market), numbers())
    const posted = statuses.filter(({ phase }) => phase === 'OPEN_FOR_CLAIM').map(({ taskId }) => taskId)
    calls.length = 0
    const { tasks, next, block } = await reader.listOpen(market, { limit: 100 })
    expect(calls.length).toBeLessThanOrEqual(4)
    expect(tasks.map(({ number }) => number)).toEqual(posted.sort((a, b) => (a < b ? 1 : -1)))
    expect(next).toBeNull()
    expect(block.number).toBe(await devnet.client.getBlockNumber())
  })

  test('pages of any size add up to the whole list', async () => {
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

  test('lists of a wallet contain exactly its tasks', async () => {
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
    expect(decodeTaskText(detail?.text ?? '').canonical).toBe(true)
    expect(detail?.terms.amounts).toEqual(open?.milestones.map(({ amount }) => amount))
    expect(detail?.timeline.map(({ name }) => name)).toContain('TaskPosted')
    const { tasks } = await reader.listRecent(market, { limit: 100 })
    const disputed = tasks.find(({ state }) => state === 'DISPUTED')
    expect((await reader.getTask(market, disputed?.number ?? 0n)).detail?.dispute?.round).toBe(1)
    expect((await reader.getTask(market, 10_000n)).detail).toBeNull()
  })

  test('ranks agents by score and arbitrators by bond, and reads the Union and prices', async () => {
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

test('receipts of a real node prove the logs of its blocks', async () => {
  const rpc = createRpc({ name: 'anvil', url: devnet.rpcUrl })
  const addresses = markets.flatMap((market) => Object.values(devnet.deployments.markets[market]))
  const head = await devnet.client.getBlockNumber()
  let logs = 0
  for (let number = 1n; number <= head; number += head / 60n + 1n) {
    const header = (await getHeader(rpc, number)) ?? expect.unreachable()
    const proven = await proveBlockLogs(rpc, header, addresses)
    const listed = await getBlockLogs(rpc, { address: addresses }, header.hash)
    expect(proven.map(({ blockTimestamp: _, ...log }) => log)).toEqual(
      listed.map(({ blockTimestamp: _, ...log }) => log),
    )
    logs += proven.length
  }
  expect(logs).toBeGreaterThan(0)
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
    const { tasks } = await createReader(bad, good()).listOpen('standard', { limit: 10 })
    expect(tasks.length).toBeGreaterThan(0)
    await expect(createReader(bad).listOpen('standard', { limit: 10 })).rejects.toMatchObject({
      code: 'CHAIN_READ_FAILED',
      retryable: true,
    })
    server.closeAllConnections()
    server.close()
  })

  test('retries a read whose block is replaced meanwhile', async () => {
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
    expect((await createReader(shifty).listOpen('micro', { limit: 5 })).tasks.length).toBeGreaterThan(0)
    lies = 100
    await expect(createReader(shifty).listOpen('micro', { limit: 5 })).rejects.toThrow(ChainReadError)
  })

  test('requests narrow ranges from a provider that rejects wide ones', async () => {
    const rpc = good()
    const narrow: Rpc = {
      ...rpc,
      request: (method, params) => {
        const [filter] = params as [{ fromBlock: string; toBlock: string }]
        const wide = method === 'eth_getLogs' && Number(filter.toBlock) - Number(filter.fromBlock) > 500
        return wide ? rpc.request('eth_noSuchMethod', []) : rpc.request(method, params)
      },
    }
    const wanted = await createReader(good()).listByPoster('standard', accounts.ada.address, { limit: 100 })
    expect((await createReader(narrow).listByPoster('standard', accounts.ada.address, { limit: 100 })).tasks).toEqual(
      wanted.tasks,
    )
  })
})
