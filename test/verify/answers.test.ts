import { ChainReadError } from '@svc/chain'
import { accounts, peopleWhoAre } from '@svc/devnet'
import { markets } from '@svc/protocol'
import { rows, UnverifiableError, type Verdict, verifyAnswer, verifyEvent } from '@svc/reads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IndexedWorld, startIndexedWorld } from '../harness/indexed.ts'
import { type Service, startService } from '../harness/service.ts'
import { mutate, randomOf } from './mutate.ts'

let world: IndexedWorld
let service: Service
beforeAll(async () => {
  world = await startIndexedWorld()
  service = await startService(world)
})
afterAll(async () => {
  await service?.stop()
  await world?.stop()
})

const urlOf = (path: string) => `http://localhost${path}`
const verify = (path: string, body: unknown): Promise<Verdict> =>
  verifyAnswer(urlOf(path), body, { providers: world.providers, deployments: world.devnet.deployments })

// biome-ignore lint/suspicious/noExplicitAny: the schema of each route is tested elsewhere
async function get(path: string): Promise<any> {
  const response = await service.app.request(path)
  expect(response.status, path).toBe(200)
  expect(response.headers.get('x-read-path')).toBe('index')
  return response.json()
}

/** Every read of a market, in more than one way where that matters. */
function questions(): string[] {
  const wallets = [...peopleWhoAre('poster'), ...peopleWhoAre('worker')].map((person) => accounts[person].address)
  return markets.flatMap((market) => [
    `/api/market/open?market=${market}`,
    `/api/market/open?market=${market}&limit=2`,
    `/api/market/recent?market=${market}`,
    `/api/market/recent?market=${market}&limit=3`,
    `/api/market/events?market=${market}`,
    `/api/market/events?market=${market}&limit=100&cursor=0:0`,
    `/api/union/overview?market=${market}`,
    `/api/market/texts?ids=v2:${market}:1,v2:${market}:2,v2:${market}:3`,
    ...wallets.flatMap((address) => [
      `/api/poster/tasks?market=${market}&address=${address}`,
      `/api/worker/tasks?market=${market}&address=${address}`,
      `/api/get-market-ledger?market=${market}&address=${address}`,
    ]),
    ...world.told
      .filter((tale) => tale.market === market)
      .map(({ taskId }) => `/api/market/task?id=v2:${market}:${taskId}`),
  ])
}

async function expectEqual(path: string, body: Awaited<ReturnType<typeof get>>): Promise<void> {
  const verdict = await verify(path, body)
  expect(verdict.differences, path).toEqual([])
  expect(verdict.equal).toBe(true)
  expect(verdict.compared).toBeGreaterThan(5)
  expect(Number(verdict.block.number)).toBe(body.meta.block.number)
}

test('an honest answer of every read is equal', async () => {
  const asked = questions()
  for (const { path } of rows)
    expect(
      asked.some((each) => each.startsWith(path)),
      path,
    ).toBe(true)
  for (const path of asked) await expectEqual(path, await get(path))
})

test('whatever one changes in an answer is found', async () => {
  const random = randomOf(20)
  const asked = questions()
  let found = 0
  for (let turn = 0; turn < 300; turn++) {
    const path = asked[Math.floor(random() * asked.length)] ?? ''
    const { what, body } = mutate(await get(path), random)
    const verdict = await verify(path, body).catch((error: unknown) => {
      // A block that is no block of the chain, or none at all.
      if (error instanceof ChainReadError || error instanceof UnverifiableError) return null
      throw error
    })
    expect(verdict?.equal ?? false, `${path}: ${what}`).toBe(false)
    found++
  }
  expect(found).toBe(300)
})

test('a block that is not on the chain is said to be gone, a URL that is no read is refused', async () => {
  const path = '/api/union/overview'
  const answer = await get(path)
  const elsewhere = {
    ...answer,
    meta: { ...answer.meta, block: { ...answer.meta.block, hash: `0x${'12'.repeat(32)}` } },
  }
  await expect(verify(path, elsewhere)).rejects.toThrow(/is not on the chain that anvil follows/)
  await expect(verify(path, {})).rejects.toThrow(/names no block/)
  await expect(verify('/api/site-config', answer)).rejects.toThrow(/no read of a market/)
  await expect(verify('/api/market/open?limit=x', answer)).rejects.toThrow(/limit must be/)
  const task = await get('/api/market/task?id=v2:micro:1')
  expect((await verify('/api/market/task?id=v2:micro:999', task)).differences[0]).toMatchObject({
    chain: 'Task v2:micro:999 is not found.',
  })
})

test('an event is found at its place, and a changed one is not', async () => {
  const deps = { providers: world.providers, deployments: world.devnet.deployments }
  const random = randomOf(7)
  const { events } = await get('/api/market/events?market=micro&limit=20&cursor=0:0')
  expect(events.length).toBe(20)
  for (const event of events) {
    expect((await verifyEvent('micro', event, deps)).differences).toEqual([])
    const { what, body } = mutate(event, random)
    const verdict = await verifyEvent('micro', body, deps).catch((error: unknown) => {
      if (error instanceof UnverifiableError) return null
      throw error
    })
    expect(verdict?.equal ?? false, what).toBe(false)
  }
  expect((await verifyEvent('standard', events[0], deps)).equal).toBe(false)
})

test('an answer is equal at its own block once the chain has gone on', async () => {
  const asked = questions().filter((path) => path.includes('micro') && !path.includes('/task'))
  const before = new Map<string, unknown>()
  for (const path of asked) before.set(path, await get(path))
  await world.devnet.client.mine({ blocks: 5 })
  await service.caughtUp()
  for (const [path, body] of before) await expectEqual(path, body as Awaited<ReturnType<typeof get>>)
})

test('a block that was reorganised away is said to be gone', async () => {
  const path = '/api/market/recent?market=micro'
  const snapshot = await world.devnet.client.snapshot()
  await world.devnet.client.mine({ blocks: 2 })
  await service.caughtUp()
  const answer = await get(path)
  await world.devnet.client.revert({ id: snapshot })
  await world.devnet.client.mine({ blocks: 3, interval: 2 })
  await expect(verify(path, answer)).rejects.toThrow(/reorganised away/)
})
