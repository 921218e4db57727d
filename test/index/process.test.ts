import { setTimeout as wait } from 'node:timers/promises'
import { chainOf, type Provider, providerOf } from '@svc/chain'
import {
  connector,
  createBuild,
  dropBuild,
  loadCursor,
  marketNumber,
  schemaOf,
  serveBuild,
  servingBuild,
  splitKey,
  writerLockOf,
} from '@svc/index'
import type { Market } from '@svc/protocol'
import postgres, { type Sql } from 'postgres'
import { type Abi, type AbiFunction, getAbiItem, numberToHex, toFunctionSelector } from 'viem'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { compareMarket } from '../../apps/indexer/src/compareMarket.ts'
import { compareSample } from '../../apps/indexer/src/differential.ts'
import { follow, type Progress } from '../../apps/indexer/src/follow.ts'
import { takeOver } from '../../apps/indexer/src/takeOver.ts'
import { createNode, type SimNode } from '../../chaos/sim/node.ts'
import { simRpc } from '../../chaos/sim/rpc.ts'
import { createSimulation } from '../../chaos/sim/simulation.ts'
import { abis } from '../../chaos/sim/suite/abis.ts'
import { createDatabase, type TestDatabase } from '../harness/postgres.ts'

const market: Market = 'micro'
const simulation = createSimulation({ seed: 4 })
simulation.mine(40)
const honest = createNode(simulation)
const { chainId, markets: places, tok: asset } = simulation.places
const of = { market, contracts: places[market], chainId, asset }
let database: TestDatabase
let sql: Sql

beforeEach(async () => {
  database = await createDatabase()
  sql = postgres(database.url, { fetch_types: false, onnotice: () => {}, max: 4 })
  await createBuild(sql, 'a')
})
afterEach(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})

const providerTo = (node: SimNode): Provider => providerOf(simRpc(node, { name: 'node' }), chainOf(chainId))

/** Follows until told to stop; `heard` settles when it says this. */
function start(node: SimNode) {
  const stop = new AbortController()
  const seen = new Set<string>()
  const waiters = new Map<string, () => void>()
  const done = follow({
    market,
    build: 'a',
    connect: connector(database.url),
    providers: [providerTo(node)],
    chainId,
    contracts: places[market],
    startBlock: simulation.startBlock,
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

/** How many sessions wait for the writer's lock. */
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
  expect.unreachable('it never came to that')
}

test('an index is caught up although its chain has a new block each time it looks', async () => {
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

test('whoever stands by leaves at once when told to, and leaves no session behind', async () => {
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

test('a build that was replaced comes back only by hand', async () => {
  expect(await takeOver(sql, 'a')).toBe('serving')
  await createBuild(sql, 'b')
  expect(await takeOver(sql, 'b')).toBe('serving')
  expect(await takeOver(sql, 'a')).toBe('replaced')
  expect(await servingBuild(sql)).toBe('b')
  await serveBuild(sql, 'a')
  expect(await servingBuild(sql)).toBe('a')
})

test('a build that serves or is written is not dropped', async () => {
  await serveBuild(sql, 'a')
  await expect(dropBuild(sql, 'a')).rejects.toThrow('Build a serves')
  await createBuild(sql, 'b')
  const writer = connector(database.url)(schemaOf('b'))
  await writer`select pg_advisory_lock(hashtextextended(${writerLockOf('b', 'standard')}, 0))`
  await expect(dropBuild(sql, 'b')).rejects.toThrow('Build b is still written')
  await writer.end()
  await until(() =>
    dropBuild(sql, 'b').then(
      () => true,
      () => false,
    ),
  )
  expect(await sql`select to_regnamespace('index_b') as schema`).toMatchObject([{ schema: null }])
})

test('a swap gives way to a long report, and nobody waits for the two of them', async () => {
  await createBuild(sql, 'b')
  await serveBuild(sql, 'a')
  await sql.begin(async (report) => {
    // The other way round than a swap goes through the views: each would wait for the other.
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
  expect(await servingBuild(sql)).toBe('b')
})

/** A node that answers questions about storage as of a block, whichever was asked about. */
const asOf = (block: number): SimNode => ({
  answer: (method, params) => honest.answer(method, method === 'eth_call' ? [params[0], numberToHex(block)] : params),
})

test('two providers that each tell something else about a row have confirmed nothing', async () => {
  const follower = start(honest)
  await follower.heard('caughtUp')
  await follower.end()
  const connection = connector(database.url)(schemaOf('a'))
  // Rows that were there already, and something else: at the beginning none of them was.
  const isOther = async (block: number) => {
    const { differences = [] } = (await compareSample(connection, of, providerTo(asOf(block)), 50)) ?? {}
    return differences.length > 0 && differences.every(({ right }) => right !== null)
  }
  let block = Number((await loadCursor(connection, marketNumber(market)))?.number) - 1
  while (!(await isOther(block))) block--
  const ring = [asOf(block), asOf(1)].map(providerTo)
  expect(await compareMarket(connection, of, ring)).toMatchObject({ differences: [], halted: null })
  await connection.end()
})

test('a node that is a block ahead of what it was asked about, for a moment, takes no market out of service', async () => {
  const follower = start(honest)
  await follower.heard('caughtUp')
  await follower.end()
  const connection = connector(database.url)(schemaOf('a'))
  let node = asOf(1)
  const hasty: SimNode = { answer: (method, params) => node.answer(method, params) }
  const settle = async () => {
    node = honest
  }
  const compare = () => compareMarket(connection, of, [providerTo(hasty), providerTo(hasty)], { settle })
  expect(await compare()).toMatchObject({ differences: [], halted: null })
  expect(node).toBe(honest)
  await connection.end()
})

test('one provider that lies about storage does not take a market out of service; two that agree do', async () => {
  const follower = start(honest)
  await follower.heard('caughtUp')
  await follower.end()
  const early = asOf(1)
  const connection = connector(database.url)(schemaOf('a'))
  const compare = (...nodes: SimNode[]) => compareMarket(connection, of, nodes.map(providerTo))
  expect(await compare(honest, early)).toMatchObject({ differences: [], halted: null })
  expect(await compare(early, honest)).toMatchObject({ differences: [], halted: null })
  expect((await compare(early, early))?.halted).toMatch(/differs from contract storage/)
  expect((await loadCursor(connection, marketNumber(market)))?.halted).toMatch(/differs/)
  await connection.end()
})

describe('one kind of rows', () => {
  // Long enough for disputes and stakes.
  beforeAll(() => void simulation.mine(200))

  test.each([
    ['tasks', 'taskLens', 'tasksOf', 'task'],
    ['disputes', 'taskLens', 'disputesOf', 'dispute'],
    ['wallets', 'reputationRegistry', 'reputationOf', 'agent'],
    ['arbitrators', 'arbitration', 'arbitratorOf', 'arbitrator'],
    ['the Union', 'stakingVault', 'totalStakedTok', 'union'],
  ] as const)(
    'a provider that lies about %s alone does not take a market out of service',
    async (_, contract, name, kind) => {
      const follower = start(honest)
      await follower.heard('caughtUp')
      await follower.end()
      const selector = toFunctionSelector(getAbiItem({ abi: abis[contract] as Abi, name }) as AbiFunction).slice(2)
      const liar: SimNode = {
        answer: (method, params) => {
          const lies = method === 'eth_call' && (params[0] as { data: string }).data.includes(selector)
          return honest.answer(method, lies ? [params[0], '0x1'] : params)
        },
      }
      const connection = connector(database.url)(schemaOf('a'))
      const lied = await compareSample(connection, of, providerTo(liar), 50)
      expect(new Set(lied?.differences.map(({ key }) => splitKey(key)[0]))).toEqual(new Set([kind]))
      const ring = [liar, honest].map(providerTo)
      expect(await compareMarket(connection, of, ring)).toMatchObject({ differences: [], halted: null })
      expect(await compareMarket(connection, of, ring.toReversed())).toMatchObject({ differences: [], halted: null })
      await connection.end()
    },
  )
})
