import { connector, schemaOf } from '@svc/index'
import type { Market } from '@svc/protocol'
import { verifyAnswer } from '@svc/reads'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareMarket, type Found } from '../../apps/indexer/src/compareMarket.ts'
import { createMetrics } from '../../apps/indexer/src/metrics.ts'
import { build, type IndexedWorld, startIndexedWorld } from '../harness/indexed.ts'
import { type Service, startService } from '../harness/service.ts'

let world: IndexedWorld
let service: Service
let sql: Sql
const metrics = createMetrics()
beforeAll(async () => {
  world = await startIndexedWorld()
  service = await startService(world)
  sql = connector(world.database.url)(schemaOf(build))
}, 180_000)
afterAll(async () => {
  await sql?.end({ timeout: 1 })
  await service?.stop()
  await world?.stop()
})

async function compare(market: Market): Promise<Found> {
  const of = { market, contracts: world.devnet.deployments.markets[market] }
  const found = await compareMarket(sql, of, world.providers.all)
  if (!found) throw new Error('Nothing could be compared.')
  metrics.compared(market, found.tasks, found.differences.length)
  return found
}

async function get(path: string) {
  const response = await service.app.request(path)
  // biome-ignore lint/suspicious/noExplicitAny: the schema of each route is tested elsewhere
  return { from: response.headers.get('x-read-path'), body: (await response.json()) as any }
}

const told = (market: Market) => world.told.filter((tale) => tale.market === market).length

test('before the first comparison that is said, after it what was compared', async () => {
  const { body: before } = await get('/api/health/differential')
  expect(before.micro).toMatchObject({ last: null, readsFrom: 'index', says: expect.stringContaining('Nothing') })
  expect(await compare('micro')).toMatchObject({ differences: [], halted: null })
  const { body } = await get('/api/health/differential')
  const at = service.watch.indexed('micro')
  expect(body.micro).toMatchObject({
    readsFrom: 'index',
    says: expect.stringContaining('all are equal'),
    last: { block: { number: Number(at?.number), hash: at?.hash }, digest: at?.digest, differences: [] },
  })
  expect(body.standard.last).toBeNull()
})

test.each([
  [
    'micro',
    'json',
    `update task set json = replace(json, '"ruled":', '"ruled": ') where market = 1 and key = 2`,
    ['column json'],
  ],
  [
    'standard',
    'state',
    `update task set state = jsonb_set(state::jsonb, '{maxRevisions}', '77') where market = 0 and key = 2`,
    ['maxRevisions'],
  ],
] as const)(
  'in the %s market a row with another %s is found, and no answer has it from then on',
  async (market, _, change, parts) => {
    const { body: honest } = await get(`/api/market/recent?market=${market}&limit=100`)
    const detail = `/api/market/task?id=v2:${market}:2`
    // Round and round: every row has its turn.
    const turns = Math.ceil(told(market) / 50) + 1
    for (let turn = 0; turn < turns; turn++) expect((await compare(market)).differences).toEqual([])
    const { body: swept } = await get('/api/health/differential')
    expect(swept[market].last.sweep.rounds).toBeGreaterThanOrEqual(1)
    expect(swept[market].last.sweep.of).toBe(told(market))

    const { count } = await sql.unsafe(change)
    expect(count).toBe(1)
    let found: Found | null = null
    for (let turn = 0; turn < turns && !found?.halted; turn++) found = await compare(market)
    expect(found).toMatchObject({ differences: [2n], halted: expect.stringContaining(`Task v2:${market}:2 differs`) })

    while (!service.watch.indexed(market)?.halted) await service.watch.changed(1_000)
    for (const path of [`/api/market/recent?market=${market}&limit=100`, detail]) {
      const { from, body } = await get(path)
      expect(from, path).toBe('direct')
      const deps = { providers: world.providers, deployments: world.devnet.deployments }
      expect((await verifyAnswer(`http://localhost${path}`, body, deps)).differences).toEqual([])
    }
    const { body: list } = await get(`/api/market/recent?market=${market}&limit=100`)
    expect(list.tasks).toEqual(honest.tasks)
    const { body: health } = await get('/api/health/differential')
    expect(health[market]).toMatchObject({
      readsFrom: 'chain',
      says: expect.stringContaining('reads come from the chain'),
      last: { differences: [{ id: `v2:${market}:2`, parts }] },
    })
    expect(await metrics.registry.metrics()).toContain(`svc_index_differences_total{market="${market}"} 1`)
  },
  120_000,
)
