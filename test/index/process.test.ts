import { setTimeout as wait } from 'node:timers/promises'
import { createProvider, createViemChain, type Provider } from '@svc/chain'
import {
  createBuild,
  createConnector,
  dropBuild,
  findMarketFault,
  getSchemaName,
  getServingBuild,
  getWriterLockKey,
  loadCursor,
  loadSuspects,
  marketNumber,
  parseRowKey,
  serveBuild,
} from '@svc/index'
import type { Market } from '@svc/protocol'
import { abis, createNode, createSimulation, type SimNode, simRpc } from '@svc/simulation/chain'
import postgres, { type Sql } from 'postgres'
import { type Abi, type AbiFunction, getAbiItem, numberToHex, toFunctionSelector } from 'viem'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { compareBuild } from '../../apps/indexer/src/compareBuild.ts'
import { compareMarket } from '../../apps/indexer/src/compareMarket.ts'
import { compareSample } from '../../apps/indexer/src/differential.ts'
import type { Progress } from '../../apps/indexer/src/follow.ts'
import { followSimulation } from '../harness/followSimulation.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'

const market: Market = 'micro'
const simulation = createSimulation({ seed: 1 })
simulation.mine(40)
const honest = createNode(simulation)
const { chainId, markets: contracts, tok: asset } = simulation.places
const of = { market, contracts: contracts[market], chainId, asset }
let database: TestDatabase
let sql: Sql

beforeEach(async () => {
  database = await createTestDatabase()
  sql = postgres(database.url, { fetch_types: false, onnotice: () => {}, max: 4 })
  await createBuild(sql, 'a')
})
afterEach(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})

const providerTo = (node: SimNode): Provider => createProvider(simRpc(node, { name: 'node' }), createViemChain(chainId))

/** Follows until stopped. `heard` resolves when it reports this progress. */
function start(node: SimNode) {
  const stop = new AbortController()
  const seen = new Set<string>()
  const waiters = new Map<string, () => void>()
  const done = followSimulation({
    simulation,
    url: database.url,
    market,
    nodes: [node],
    maxBlocks: 15,
    pause: () => wait(5),
    signal: stop.signal,
    onProgress: ({ kind }) => {
      seen.add(kind)
      waiters.get(kind)?.()
    },
  })
  const heard = (kind: Progress['kind']) =>
    new Promise<void>((resolve) => (seen.has(kind) ? resolve() : waiters.set(kind, resolve)))
  const end = () => {
    stop.abort()
    return done
  }
  return { heard, end }
}

/** Returns the number of sessions that wait for the writer's lock. */
const waiting = async () =>
  (
    await sql`select from pg_locks join pg_database d on d.oid = database
    where d.datname = current_database() and locktype = 'advisory' and not granted`
  ).length

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < 500; look++) {
    if (await holds()) return
    await wait(10)
  }
  expect.unreachable('the condition was not met in time')
}

test('an index reports that it caught up even if there is a new block at every poll', async () => {
  const restless: SimNode = {
    answer: (method, params) => {
      if (method === 'eth_getBlockByNumber' && params[0] === 'latest') simulation.mine()
      return honest.answer(method, params)
    },
  }
  const follower = start(restless)
  await follower.heard('caughtUp')
  await follower.end()
})

test('a process on standby stops at once and closes its session', async () => {
  const writer = start(honest)
  await writer.heard('writing')
  const standby = start(honest)
  await until(async () => (await waiting()) === 1)
  const at = Date.now()
  await standby.end()
  expect(Date.now() - at).toBeLessThan(1_000)
  await until(async () => (await waiting()) === 0)
  await writer.end()
})

test('rejects dropping a build that serves or is being written', async () => {
  await serveBuild(sql, 'a')
  await expect(dropBuild(sql, 'a')).rejects.toThrow('Build a serves')
  await createBuild(sql, 'b')
  const writer = createConnector(database.url)(getSchemaName('b'))
  await writer`select pg_advisory_lock(hashtextextended(${getWriterLockKey('b', 'standard')}, 0))`
  await expect(dropBuild(sql, 'b')).rejects.toThrow('still writes to build b')
  await writer.end()
  await until(() =>
    dropBuild(sql, 'b').then(
      () => true,
      () => false,
    ),
  )
  expect(await sql`select to_regnamespace('index_b') as schema`).toMatchObject([{ schema: null }])
})

test('switching builds gives up if a long query holds locks, and blocks no other reader', async () => {
  await createBuild(sql, 'b')
  await serveBuild(sql, 'a')
  await sql.begin(async (report) => {
    // Locks the views in the opposite order of the switch, which would deadlock.
    await report`select from market.entity`
    const swap = serveBuild(sql, 'b').then(
      () => 'swapped',
      (error: postgres.PostgresError) => error.code,
    )
    await report`select pg_sleep(0.05)`
    const at = Date.now()
    await Promise.all([report`select from market.cursor`, sql`select from market.cursor`])
    expect(Date.now() - at).toBeLessThan(900)
    expect(await swap).toBe('55P03')
  })
  await serveBuild(sql, 'b')
  expect(await getServingBuild(sql)).toBe('b')
})

/** A node that returns storage of one block, whichever block is requested. */
const nodeAt = (block: number): SimNode => ({
  answer: (method, params) => honest.answer(method, method === 'eth_call' ? [params[0], numberToHex(block)] : params),
})

test('two providers that contradict each other do not confirm a difference', async () => {
  const follower = start(honest)
  await follower.heard('caughtUp')
  await follower.end()
  const connection = createConnector(database.url)(getSchemaName('a'))
  // The second node returns the state of block 1, where none of these rows existed.
  const isOther = async (block: number) => {
    const { differences = [] } = (await compareSample(connection, of, providerTo(nodeAt(block)), { size: 50 })) ?? {}
    return differences.length > 0 && differences.every(({ right }) => right !== null)
  }
  let block = Number((await loadCursor(connection, marketNumber(market)))?.number) - 1
  while (!(await isOther(block))) block--
  const ring = [nodeAt(block), nodeAt(1)].map(providerTo)
  expect(await compareMarket(connection, of, ring)).toMatchObject({ differences: [], broken: [] })
  await connection.end()
})

test('a node that returns the state of the next block for a moment makes no row a suspect', async () => {
  const follower = start(honest)
  await follower.heard('caughtUp')
  await follower.end()
  const connection = createConnector(database.url)(getSchemaName('a'))
  let node = nodeAt(1)
  const hasty: SimNode = { answer: (method, params) => node.answer(method, params) }
  const settle = async () => {
    node = honest
  }
  const compare = () =>
    compareMarket(connection, of, [providerTo(hasty), providerTo(hasty)], { waitForRecheck: settle })
  expect(await compare()).toMatchObject({ differences: [], broken: [] })
  expect(node).toBe(honest)
  await connection.end()
})

test('one provider with false storage changes nothing; with two that agree, no row that differs is served', async () => {
  const follower = start(honest)
  await follower.heard('caughtUp')
  await follower.end()
  const early = nodeAt(1)
  const connection = createConnector(database.url)(getSchemaName('a'))
  const compare = (...nodes: SimNode[]) => compareMarket(connection, of, nodes.map(providerTo))
  expect(await compare(honest, early)).toMatchObject({ differences: [], broken: [] })
  expect(await compare(early, honest)).toMatchObject({ differences: [], broken: [] })
  const suspects = () => loadSuspects(connection, marketNumber(market))
  expect(await suspects()).toEqual([])
  const found = await compare(early, early)
  // The events fold to the same rows, so only a new build could help.
  expect(found?.broken.length).toBeGreaterThan(0)
  expect((await suspects()).length).toBe(found?.broken.length)
  // What they said is forgotten as soon as an honest provider is compared with.
  expect(await compare(honest, honest)).toMatchObject({ differences: [], broken: [] })
  expect(await suspects()).toEqual([])
  await connection.end()
})

test('the first build is compared too: one without tasks differs from a chain with tasks', async () => {
  const follower = start(honest)
  await follower.heard('caughtUp')
  await follower.end()
  const connection = createConnector(database.url)(getSchemaName('a'))
  const compare = (...nodes: SimNode[]) => compareBuild(connection, [of], nodes.map(providerTo), async () => {})
  const away: SimNode = { answer: () => ({ error: { code: -32000, message: 'header not found' } }) }
  await expect(compare(away, honest)).rejects.toThrow('cannot be compared with the chain now')
  const findFault = () => findMarketFault(connection, marketNumber(market))
  expect(await findFault()).toBe('it has not been compared with contract storage yet')
  // A single provider that lies is not believed.
  expect(await compare(nodeAt(1), honest)).toEqual([])
  expect(await findFault()).toBeNull()
  await connection`update cursor set suspects = '["*","task:1"]'`
  expect(await findFault()).toBe('so many rows differ from contract storage that none is served')
  await connection`truncate task, agent, arbitrator, entity, event`
  expect(await compare(honest, honest)).toContainEqual({ row: 'task v2:micro:1', parts: [] })
  await connection.end()
})

describe('one kind of rows', () => {
  // Long enough for disputes and stakes.
  beforeAll(() => void simulation.mine(200))

  const readsOfRows = [
    ['taskLens', 'tasksOf', 'task'],
    ['taskLens', 'disputesOf', 'dispute'],
    ['reputationRegistry', 'reputationOf', 'agent'],
    ['arbitration', 'arbitratorOf', 'arbitrator'],
    ['stakingVault', 'totalStakedTok', 'union'],
  ] as const

  test('a provider with false data of one kind changes nothing, whatever the kind', async () => {
    const follower = start(honest)
    await follower.heard('caughtUp')
    await follower.end()
    const connection = createConnector(database.url)(getSchemaName('a'))
    for (const [contract, name, kind] of readsOfRows) {
      const selector = toFunctionSelector(getAbiItem({ abi: abis[contract] as Abi, name }) as AbiFunction).slice(2)
      const liar: SimNode = {
        answer: (method, params) => {
          const lies = method === 'eth_call' && (params[0] as { data: string }).data.includes(selector)
          return honest.answer(method, lies ? [params[0], '0x1'] : params)
        },
      }
      const lied = await compareSample(connection, of, providerTo(liar), { size: 50 })
      expect(new Set(lied?.differences.map(({ key }) => parseRowKey(key)[0])), kind).toEqual(new Set([kind]))
      const ring = [liar, honest].map(providerTo)
      for (const order of [ring, ring.toReversed()]) {
        expect(await compareMarket(connection, of, order), kind).toMatchObject({ differences: [], broken: [] })
      }
    }
    await connection.end()
  })
})
