import { ChainReadError } from '@svc/chain'
import { accounts, listPeople } from '@svc/devnet'
import { apiRoutes } from '@svc/operations'
import { markets } from '@svc/protocol'
import { UnverifiableError, type Verdict, verifyAnswer, verifyEvent } from '@svc/reads'
import { expect, test } from 'vitest'
import { startServedWorld } from '../harness/served.ts'
import { startForTests } from '../harness/startForTests.ts'
import { createSeededRandom, mutateAnswer } from './mutate.ts'

const served = startForTests(startServedWorld, 'stop')

const toUrl = (path: string) => `http://localhost${path}`
const verify = (path: string, body: unknown): Promise<Verdict> =>
  verifyAnswer(toUrl(path), body, { providers: served.world.providers, deployments: served.world.devnet.deployments })

// biome-ignore lint/suspicious/noExplicitAny: the schema of each route is tested elsewhere
async function get(path: string): Promise<any> {
  const response = await served.service.app.request(path)
  expect(response.status, path).toBe(200)
  expect(response.headers.get('x-read-path')).toBe(path.startsWith('/api/price') ? 'chain' : 'index')
  return response.json()
}

/** Paths of every read of a market, with several inputs where that matters. */
function listPaths(): string[] {
  const wallets = [...listPeople('poster'), ...listPeople('worker')].map((person) => accounts[person].address)
  return markets.flatMap((market) => [
    `/api/market/open?market=${market}`,
    `/api/market/open?market=${market}&limit=2`,
    `/api/market/recent?market=${market}`,
    `/api/market/recent?market=${market}&limit=3`,
    `/api/market/open?market=${market}&texts=true`,
    `/api/market/recent?market=${market}&texts=true`,
    `/api/market/events?market=${market}`,
    `/api/market/events?market=${market}&limit=100&cursor=0:0`,
    `/api/market/status?market=${market}`,
    `/api/union/overview?market=${market}`,
    `/api/market/texts?ids=v2:${market}:1,v2:${market}:2,v2:${market}:3`,
    `/api/price/tok?market=${market}`,
    `/api/leaderboard?market=${market}&limit=10`,
    `/api/profiles?market=${market}&addresses=${wallets.join(',')}`,
    ...wallets.flatMap((address) => [
      `/api/poster/tasks?market=${market}&address=${address}`,
      `/api/worker/tasks?market=${market}&address=${address}`,
      `/api/poster/tasks?market=${market}&address=${address}&texts=true`,
      `/api/get-market-ledger?market=${market}&address=${address}`,
      `/api/wallet/inbox?market=${market}&address=${address}`,
      `/api/wallet/record?market=${market}&address=${address}`,
    ]),
    ...served.world.demoTasks
      .filter((task) => task.market === market)
      .map(({ taskId }) => `/api/market/task?id=v2:${market}:${taskId}`),
  ])
}

const search = '/api/market/search'

async function expectEqual(path: string, body: Awaited<ReturnType<typeof get>>): Promise<void> {
  const verdict = await verify(path, body)
  expect(verdict.differences, path).toEqual([])
  expect(verdict.equal).toBe(true)
  expect(verdict.compared).toBeGreaterThan(5)
  expect(Number(verdict.block.number)).toBe(body.meta.block.number)
}

test('an honest answer of every read is equal', async () => {
  const asked = listPaths()
  // Searches follow below: the chain cannot repeat them.
  for (const { path } of apiRoutes.filter(({ operation, path }) => operation.kind === 'read' && path !== search))
    expect(
      asked.some((each) => each.startsWith(path)),
      path,
    ).toBe(true)
  for (const path of asked) await expectEqual(path, await get(path))
})

test('a search is not verified as a whole, and the reason says what to do instead', async () => {
  const path = `${search}?market=micro&limit=5`
  await expect(verify(path, await get(path))).rejects.toThrow('Verify the tasks that it found one by one')
})

test('any change in an answer is found', async () => {
  const random = createSeededRandom(20)
  const asked = listPaths()
  let found = 0
  for (let turn = 0; turn < 300; turn++) {
    const path = asked[Math.floor(random() * asked.length)] ?? ''
    const { what, body } = mutateAnswer(await get(path), random)
    const verdict = await verify(path, body).catch((error: unknown) => {
      // The block is not on the chain, or is missing.
      if (error instanceof ChainReadError || error instanceof UnverifiableError) return null
      throw error
    })
    expect(verdict?.equal ?? false, `${path}: ${what}`).toBe(false)
    found++
  }
  expect(found).toBe(300)
})

test('a block that is not on the chain is reported, and a URL that is not a read is refused', async () => {
  const path = '/api/union/overview'
  const answer = await get(path)
  const elsewhere = {
    ...answer,
    meta: { ...answer.meta, block: { ...answer.meta.block, hash: `0x${'12'.repeat(32)}` } },
  }
  await expect(verify(path, elsewhere)).rejects.toThrow(/is not on the chain of anvil/)
  await expect(verify(path, {})).rejects.toThrow(/names no block/)
  await expect(verify('/api/site-config', answer)).rejects.toThrow(/not a read of a market/)
  await expect(verify('/api/market/open?limit=x', answer)).rejects.toThrow(/limit must be/)
  const task = await get('/api/market/task?id=v2:micro:1')
  expect((await verify('/api/market/task?id=v2:micro:999', task)).differences[0]).toMatchObject({
    chain: 'Task v2:micro:999 is not found.',
  })
})

test('an event is verified at its position, and a changed one is not', async () => {
  const deps = { providers: served.world.providers, deployments: served.world.devnet.deployments }
  const random = createSeededRandom(7)
  const { events } = await get('/api/market/events?market=micro&limit=20&cursor=0:0')
  expect(events.length).toBe(20)
  for (const event of events) {
    expect((await verifyEvent('micro', event, deps)).differences).toEqual([])
    const { what, body } = mutateAnswer(event, random)
    const verdict = await verifyEvent('micro', body, deps).catch((error: unknown) => {
      if (error instanceof UnverifiableError) return null
      throw error
    })
    expect(verdict?.equal ?? false, what).toBe(false)
  }
  expect((await verifyEvent('standard', events[0], deps)).equal).toBe(false)
})

test('an answer is still equal at its own block after the chain moved on', async () => {
  const asked = listPaths().filter((path) => path.includes('micro') && !path.includes('/task'))
  const before = new Map<string, unknown>()
  for (const path of asked) before.set(path, await get(path))
  await served.world.devnet.client.mine({ blocks: 5 })
  await served.service.caughtUp()
  for (const [path, body] of before) await expectEqual(path, body as Awaited<ReturnType<typeof get>>)
})

test('a block that was reorganised out is reported', async () => {
  const path = '/api/market/recent?market=micro'
  const snapshot = await served.world.devnet.client.snapshot()
  await served.world.devnet.client.mine({ blocks: 2 })
  await served.service.caughtUp()
  const answer = await get(path)
  await served.world.devnet.client.revert({ id: snapshot })
  await served.world.devnet.client.mine({ blocks: 3, interval: 2 })
  await expect(verify(path, answer)).rejects.toThrow(/a reorg removed it/)
})
