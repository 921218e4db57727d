import { accounts } from '@svc/devnet'
import {
  advanceWalk,
  createConnector,
  deriveLedgers,
  getSchemaName,
  initialWalk,
  marketNumber,
  parseRowKey,
  type RowKey,
  type Walk,
} from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { createLedger } from '@svc/protocol/internal/money'
import { verifyAnswer } from '@svc/reads'
import type { Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type ComparisonResult, compareMarket } from '../../apps/indexer/src/compareMarket.ts'
import type { HealParts } from '../../apps/indexer/src/healRows.ts'
import { createIndexerMetrics } from '../../apps/indexer/src/metrics.ts'
import { notCompared, rowKinds } from '../../apps/indexer/src/rowKinds.ts'
import { build } from '../harness/indexed.ts'
import { type ServedWorld, startServedWorld } from '../harness/served.ts'
import { type WrongRow, wrongRows } from './wrongRows.ts'

let served: ServedWorld
let world: ServedWorld['world']
let service: ServedWorld['service']
let sql: Sql
const metrics = createIndexerMetrics()
beforeAll(async () => {
  served = await startServedWorld()
  ;({ world, service } = served)
  sql = createConnector(world.database.url)(getSchemaName(build))
})
afterAll(async () => {
  await sql?.end({ timeout: 1 })
  await served?.stop()
})

async function compare(market: Market, parts: HealParts = {}): Promise<ComparisonResult> {
  const { chainId, shared, markets: places } = world.devnet.deployments
  const of = { market, contracts: places[market], chainId, asset: shared.tokToken }
  const found = await compareMarket(sql, of, world.providers.all, {
    waitForRecheck: async () => {},
    parts,
    size: 1_000,
  })
  if (!found) throw new Error('Nothing could be compared.')
  metrics.compared(build, market, found)
  return found
}

async function get(path: string) {
  const response = await service.app.request(path)
  // biome-ignore lint/suspicious/noExplicitAny: the schema of each route is tested elsewhere
  return { from: response.headers.get('x-read-path'), body: (await response.json()) as any }
}

const rounds = async (market: Market) => (await get('/api/health/differential')).body[market].last.sweep.rounds

/** Compares until a difference is found or every row was compared. Counts all rows. */
async function compareOneRound(market: Market, parts: HealParts = {}): Promise<ComparisonResult> {
  const last = (await rounds(market)) + 1
  let rows = 0
  for (;;) {
    const found = await compare(market, parts)
    rows += found.rows
    if (found.differences.length > 0 || (await rounds(market)) >= last) return { ...found, rows }
  }
}

test('the health route says that nothing was compared yet, and later what was compared', async () => {
  const { body: before } = await get('/api/health/differential')
  expect(before.micro).toMatchObject({ last: null, readsFrom: 'index', says: expect.stringContaining('No comparison') })
  const found = await compare('micro')
  expect(found).toMatchObject({ differences: [], healed: 0, broken: [] })
  const { body } = await get('/api/health/differential')
  const at = service.watch.indexed('micro')
  expect(body.micro).toMatchObject({
    readsFrom: 'index',
    says: expect.stringContaining('all are equal'),
    last: {
      block: { number: Number(at?.number), hash: at?.hash },
      digest: at?.digest,
      rowsCompared: found.rows,
      differences: [],
    },
  })
  expect(body.standard.last).toBeNull()
})

test.each(markets)('every row of a correct index of the %s market is equal', async (market) => {
  await compare(market)
  const compared = await compareOneRound(market)
  expect(compared.differences).toEqual([])
  const [{ rows = '' } = {}] = await sql<{ rows: string }[]>`
    select (select count(*) from task where market = ${marketNumber(market)})
      + (select count(*) from agent where market = ${marketNumber(market)})
      + (select count(*) from arbitrator where market = ${marketNumber(market)}) as rows`
  const { body } = await get('/api/health/differential')
  expect(body[market].last.sweep.of).toBe(Number(rows))
  const [{ others = '' } = {}] = await sql<{ others: string }[]>`
    select count(*) as others from entity where market = ${marketNumber(market)} and kind in ('dispute', 'ledger', 'union')`
  expect(compared.rows).toBeGreaterThanOrEqual(Number(rows) + Number(others))
})

test('a walk in small steps visits every row of every table once per round', async () => {
  const passed: RowKey[] = []
  let walk: Walk = initialWalk
  while (walk.rounds === 0) {
    const step = await advanceWalk(sql, marketNumber('micro'), walk, 3)
    passed.push(...step.keys)
    walk = step.walk
  }
  const rows = await sql<{ key: string }[]>`
    select 'task:' || key as key from task where market = 1
    union all select 'agent:0x' || encode(key, 'hex') from agent where market = 1
    union all select 'arbitrator:0x' || encode(key, 'hex') from arbitrator where market = 1`
  expect(passed.map((key) => key.toLowerCase()).sort()).toEqual(rows.map(({ key }) => key).sort())
  expect(new Set(passed.map((key) => parseRowKey(key)[0]))).toEqual(new Set(['task', 'agent', 'arbitrator']))
})

test('ledgers of wallets with too many tasks are skipped, and the others follow from their tasks', async () => {
  const wallets = Object.values(accounts).map(({ address }) => address)
  const all = await deriveLedgers(sql, marketNumber('micro'), wallets)
  const countTasks = (wallet: string) => {
    const { buyer, worker } = all.get(wallet) ?? createLedger()
    return buyer.taskCount + worker.taskCount
  }
  for (const wallet of wallets) expect(all.get(wallet)).toEqual((await world.direct.getLedger('micro', wallet)).ledger)
  const most = Math.max(...wallets.map(countTasks))
  const few = await deriveLedgers(sql, marketNumber('micro'), wallets, { perWallet: most - 1, total: 5_000 })
  expect([...few.keys()].sort()).toEqual(wallets.filter((wallet) => countTasks(wallet) < most).sort())
  const some = await deriveLedgers(sql, marketNumber('micro'), wallets, { perWallet: most, total: most })
  expect([...some.keys()].reduce((sum, wallet) => sum + countTasks(wallet), 0)).toBeLessThanOrEqual(most)
})

test('every kind of row in the index is compared, or excluded with a reason', async () => {
  const tables = await sql<{ name: string }[]>`
    select c.table_name as name from information_schema.columns c
    where table_schema = ${getSchemaName(build)} and column_name = 'state' and table_name <> 'entity'`
  const kinds = await sql<{ name: string }[]>`select distinct kind as name from entity`
  const known = [...Object.keys(rowKinds), ...Object.keys(notCompared)]
  // Entries have a row only once they were paused.
  const found = new Set([...tables, ...kinds].map(({ name }) => name)).add('entries')
  expect([...found].sort()).toEqual(known.sort())
})

/** A repair that does nothing. */
const noRefold: HealParts = { refold: async () => {} }

describe('one wrong row', () => {
  let undo: () => Promise<void> = async () => {}
  afterEach(() => undo())

  /** Changes a row, and restores it at the end if it was not repaired. */
  async function tamper({ market, table, where, change }: WrongRow): Promise<() => Promise<unknown[]>> {
    const own = `market = ${marketNumber(market)} and ${where}`
    await sql.unsafe(`create temp table kept as select * from ${table} where ${own}`)
    undo = async () => {
      await sql.unsafe(`delete from ${table} where ${own}; insert into ${table} select * from kept; drop table kept;
        update cursor set suspects = '[]'`)
      undo = async () => {}
    }
    const done = change === null ? `delete from ${table}` : `update ${table} set ${change}`
    expect((await sql.unsafe(`${done} where ${own}`)).count).toBe(1)
    return () =>
      sql.unsafe(`(select * from kept except select * from ${table} where ${own})
      union all (select * from ${table} where ${own} except select * from kept)`)
  }

  /** The row, with the number of its task filled in. */
  function inWorld(wrong: WrongRow): WrongRow {
    const tasks = world.demoTasks.filter(({ market }) => market === wrong.market)
    const task = tasks.find(({ scenario }) => scenario.name === wrong.scenario)?.taskId ?? BigInt(tasks.length)
    const fill = (text: string) => text.replaceAll('{n}', String(task))
    return { ...wrong, where: fill(wrong.where), row: fill(wrong.row), path: fill(wrong.path) }
  }

  /** Reads until the answer comes from there. A busy machine may answer one read from the chain, because the index took too long. */
  const getFrom = (from: 'index' | 'chain', path: string) =>
    vi.waitFor(async () => {
      const answer = await get(path)
      expect(answer.from, path).toBe(from)
      return answer.body
    }, 10_000)

  test.each(wrongRows)('$what is read from the chain until it is repaired', async (given) => {
    const wrong = inWorld(given)
    const { market, row, path } = wrong
    const difference = { row, parts: expect.arrayContaining([...wrong.parts]) }
    await compare(market)
    const honest = await getFrom('index', path)
    const differs = await tamper(wrong)
    const found = await compareOneRound(market, noRefold)
    expect(found).toMatchObject({
      differences: expect.arrayContaining([difference]),
      broken: expect.arrayContaining([difference]),
    })

    const body = await getFrom('chain', path)
    const deps = { providers: world.providers, deployments: world.devnet.deployments }
    expect((await verifyAnswer(`http://localhost${path}`, body, deps)).differences).toEqual([])
    expect({ ...body, meta: null }).toEqual({ ...honest, meta: null })
    // Answers that do not use the row still come from the index.
    expect((await get(`/api/market/events?market=${market}`)).from).toBe('index')
    const { body: health } = await get('/api/health/differential')
    expect(health[market]).toMatchObject({
      readsFrom: 'index',
      says: expect.stringContaining('differ'),
      last: { differences: expect.arrayContaining([difference]) },
    })

    expect((await differs()).length).toBeGreaterThan(0)
    // Suspects are compared in every round.
    const repaired = await compare(market)
    expect(repaired).toMatchObject({ differences: expect.arrayContaining([difference]), broken: [] })
    expect(repaired.healed).toBe(repaired.differences.length)
    expect(await differs()).toEqual([])
    expect({ ...(await getFrom('index', path)), meta: null }).toEqual({ ...honest, meta: null })
    expect(await compare(market)).toMatchObject({ differences: [] })
  })

  test('each was counted', async () => {
    const sum = async (name: string) =>
      ((await metrics.registry.getSingleMetric(name)?.get())?.values ?? []).reduce((all, { value }) => all + value, 0)
    expect(await sum('svc_index_differences_total')).toBeGreaterThanOrEqual(2 * wrongRows.length)
    expect(await sum('svc_index_healed_total')).toBeGreaterThanOrEqual(wrongRows.length)
  })
})
