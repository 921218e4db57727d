import { setImmediate as yieldOnce } from 'node:timers/promises'
import { ChainReadError, type Provider } from '@svc/chain'
import { createBuild, createConnector, getSchemaName, loadSuspects, marketNumber } from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { createNode, createSimulation, type SimNode, type Simulation } from '@svc/simulation/chain'
import postgres from 'postgres'
import { expect, test } from 'vitest'
import { compareMarket } from '../../apps/indexer/src/compareMarket.ts'
import { listAddresses, type Progress } from '../../apps/indexer/src/follow.ts'
import { decideNextStep } from '../../apps/indexer/src/nextStep.ts'
import { shareSteps } from '../../apps/indexer/src/sharedSteps.ts'
import { createSimProvider, followSimulation } from '../harness/followSimulation.ts'
import { createTestDatabase } from '../harness/postgres.ts'

/** As deep as the deepest one of `chaos whole`. */
const depth = 34
/** Turns of a follower that does not move: every pair of three providers is asked several times in them. */
const maxPauses = 12
/** Requests before which the chain is reorganised. A step takes fewer than the last one. */
const moments = Array.from({ length: 16 }, (_, index) => index + 1)

interface WorldOptions {
  /** The nodes that followers read, the first two of which are asked first. */
  nodes: (simulation: Simulation) => readonly SimNode[]
}

/** Follows both markets of a simulated chain, as the indexer does: each block is read once for both. */
async function startWorld({ nodes }: WorldOptions) {
  const simulation = createSimulation({
    seed: 11,
    load: ({ chance, below }) => (chance(0.5) ? 0 : 1 + below(4)),
  })
  simulation.mine(80)
  const { places, chain } = simulation
  const database = await createTestDatabase()
  const sql = postgres(database.url, { fetch_types: false, onnotice: () => {}, max: 1 })
  await createBuild(sql, 'a')
  const build = createConnector(database.url)(getSchemaName('a'))

  /** Returns providers that reorganise the chain right before one of their requests. */
  const createProviders = (list: readonly SimNode[]) => {
    let left = Number.POSITIVE_INFINITY
    const providers = list.map((node, index): Provider => {
      const moved: SimNode = {
        answer(method, params) {
          if (--left === 0) simulation.reorg(depth, depth + 2, { replay: 0.5 })
          return node.answer(method, params)
        },
      }
      return createSimProvider(simulation, moved, `node ${index}`)
    })
    return {
      providers,
      reorganiseAt: (request: number) => {
        left = request
      },
      hasReorganised: () => left <= 0,
    }
  }

  const followed = createProviders(nodes(simulation))
  const stop = new AbortController()
  const heads = new Map<Market, string>()
  /** Turns since a market moved. */
  const pauses = new Map<Market, number>()
  let waiting: { isDue: () => boolean; done: () => void; fail: (error: Error) => void } | null = null
  const stalls: string[] = []
  const onProgress = (market: Market, progress: Progress) => {
    if ('cursor' in progress) heads.set(market, progress.cursor.hash)
    if (progress.kind === 'appended' || progress.kind === 'rolledBack') pauses.delete(market)
    if (progress.kind === 'stalled') stalls.push(progress.error.message)
    if (progress.kind === 'halted') waiting?.fail(new Error(progress.reason))
    if (waiting?.isDue() && markets.every((each) => heads.get(each) === chain.head().hash)) waiting.done()
  }
  const steps = shareSteps(markets.map((market) => listAddresses(places.markets[market])))
  const following = markets.map((market, index) =>
    followSimulation({
      simulation,
      url: database.url,
      market,
      providers: followed.providers,
      parts: { nextStep: steps[index] ?? decideNextStep },
      onProgress: (progress) => onProgress(market, progress),
      async pause() {
        const isBehind = heads.get(market) !== chain.head().hash
        pauses.set(market, isBehind ? (pauses.get(market) ?? 0) + 1 : 0)
        if ((pauses.get(market) ?? 0) > maxPauses)
          waiting?.fail(new Error(`The index of ${market} does not move: ${stalls.slice(-4).join(' ')}`))
        await yieldOnce()
      },
      signal: stop.signal,
    }),
  )

  return {
    simulation,
    sql: build,
    followed,
    createProviders,
    /** Resolves when both markets are at the head, once the condition holds. Throws if they do not get there. */
    reachHead: (isDue: () => boolean = () => true) => {
      pauses.clear()
      return new Promise<void>((done, fail) => {
        waiting = { isDue, done, fail }
      }).finally(() => {
        waiting = null
      })
    },
    compare: (market: Market, providers: readonly Provider[]) =>
      compareMarket(
        build,
        { market, contracts: places.markets[market], chainId: places.chainId, asset: places.tok },
        providers,
        { waitForRecheck: () => yieldOnce() },
      ),
    async close() {
      stop.abort()
      await Promise.all(following)
      await build.end()
      await sql.end()
      await database.drop()
    },
  }
}

const honest = (simulation: Simulation) => createNode(simulation)
const lagging = (simulation: Simulation) => createNode(simulation, { head: () => simulation.chain.head().number - 45 })

test.each([
  { of: 'two providers', nodes: (simulation: Simulation) => [honest(simulation), honest(simulation)] },
  {
    of: 'three providers, one of which stays 45 blocks behind,',
    nodes: (simulation: Simulation) => [lagging(simulation), honest(simulation), honest(simulation)],
  },
])('the index of $of follows a deep reorganisation at every moment of a step', async ({ nodes }) => {
  const world = await startWorld({ nodes })
  const { simulation, followed } = world
  const { providers } = world.createProviders([honest(simulation), honest(simulation)])
  await world.reachHead()
  for (const moment of moments) {
    const reached = world.reachHead(followed.hasReorganised)
    followed.reorganiseAt(moment)
    simulation.mine(3)
    await reached
  }
  // Every task, and what differs if events of a replaced branch were left.
  for (const market of markets) {
    const found = await world.compare(market, providers)
    expect(found?.rows).toBeGreaterThan(0)
    expect(found?.differences).toEqual([])
  }
  await world.close()
})

test('a comparison that begins before a deep reorganisation and ends after it finds no difference', async () => {
  const world = await startWorld({ nodes: (simulation) => [honest(simulation), honest(simulation)] })
  const { simulation, sql } = world
  await world.reachHead()
  for (const moment of [1, 2, 3, 4, 6, 8, 10]) {
    const comparing = world.createProviders([honest(simulation), honest(simulation)])
    const reached = world.reachHead(comparing.hasReorganised)
    comparing.reorganiseAt(moment)
    const found = await world.compare('micro', comparing.providers).catch((error: unknown) => {
      if (error instanceof ChainReadError) return null
      throw error
    })
    expect(found?.differences ?? []).toEqual([])
    expect(await loadSuspects(sql, marketNumber('micro'))).toEqual([])
    if (!comparing.hasReorganised()) break
    await reached
  }
  await world.close()
})
