import { createChainReader, type Deployments, getMarketDeployment, type MarketReader, type Providers } from '@svc/chain'
import {
  type DemoBundle,
  type DemoTask,
  type Devnet,
  type DevnetClient,
  startDevnet,
  type World,
  worldSpan,
} from '@svc/devnet'
import { createBuild, createConnector, createIndexReader, type IndexReader, serveBuild } from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import postgres, { type Sql } from 'postgres'
import { followChain, listAddresses, type Progress } from '../../apps/indexer/src/follow.ts'
import { shareSteps } from '../../apps/indexer/src/sharedSteps.ts'
import { startDemoWorld } from './demoWorld.ts'
import { createDevnetProviders } from './devnetProviders.ts'
import { createTestDatabase, type TestDatabase } from './postgres.ts'

/** A devnet with the demo world, and an index that follows it. */
export interface IndexedWorld {
  devnet: Devnet
  demoTasks: readonly DemoTask[]
  /** What the hashes of the demo world stand for. */
  bundles: readonly DemoBundle[]
  database: TestDatabase
  sql: Sql
  providers: Providers
  direct: MarketReader
  indexed: IndexReader
  /** Resolves when both markets have reached the chain's newest block. */
  reachedHead: () => Promise<void>
  stop: () => Promise<void>
}

/** The build that the index fills. */
export const build = 'a'

type Fill = (client: DevnetClient, deployments: Deployments, present: number) => Promise<DemoTask[]>

export interface WorldOptions {
  /** What happens on the chain, instead of the demo world. */
  fill?: Fill
  /** Starts another chain, instead of a devnet. The world stops it. */
  start?: () => Promise<World>
  /** The chain id of a world that is filled here. Default: that of the chain of production. */
  chainId?: number
  database?: () => Promise<TestDatabase>
  /** How long the index waits between blocks. A longer time lets it take several at once. */
  pauseMs?: number
  /** Called with the reason when the index stalls. */
  onStalled?: (error: Error) => void
}

/** Starts the devnet, the database and the index. */
export async function startIndexedWorld(options: WorldOptions = {}): Promise<IndexedWorld> {
  const { fill, chainId, database: makeDatabase = createTestDatabase, onStalled = console.error } = options
  const { pauseMs = 20, start = () => (fill ? startFilled(fill, chainId) : startDemoWorld()) } = options
  const { devnet, tasks: demoTasks, bundles } = await start()
  const database = await makeDatabase()
  const sql = postgres(database.url, { fetch_types: false, onnotice: () => {}, max: 10 })
  await createBuild(sql, build)
  const { markets: own } = devnet.deployments
  const providers = createDevnetProviders(devnet)
  const direct = createChainReader(providers, getMarketDeployment(devnet.deployments))
  const stop = new AbortController()
  const waiters = new Set<() => void>()
  const heads = new Map<Market, string>()
  const nextSteps = shareSteps(markets.map((market) => listAddresses(own[market])))
  const running = markets.map((market, index) =>
    followChain({
      market,
      build,
      connect: createConnector(database.url),
      providers: providers.all,
      ...(nextSteps[index] && { parts: { nextStep: nextSteps[index] } }),
      chainId: devnet.deployments.chainId,
      contracts: own[market],
      startBlock: 0n,
      onProgress: (progress: Progress) => {
        if ('cursor' in progress) heads.set(market, progress.cursor.hash)
        for (const wake of waiters) wake()
        if (progress.kind === 'stalled') onStalled(progress.error)
      },
      pause: () => new Promise((done) => setTimeout(done, pauseMs)),
      signal: stop.signal,
    }),
  )

  async function reachedHead(): Promise<void> {
    const { hash } = await devnet.client.getBlock()
    while (!markets.every((market) => heads.get(market) === hash)) {
      await new Promise<void>((done) => {
        waiters.add(done)
      })
    }
  }

  await reachedHead()
  await serveBuild(sql, build)
  return {
    devnet,
    demoTasks,
    bundles,
    database,
    sql,
    providers,
    direct,
    indexed: createIndexReader(sql, direct),
    reachedHead,
    async stop() {
      stop.abort()
      await Promise.all(running)
      await sql.end({ timeout: 1 })
      await database.drop()
      await devnet.stop()
    },
  }
}

async function startFilled(fill: Fill, chainId: number | undefined): Promise<World> {
  const present = Math.floor(Date.now() / 1000)
  const devnet = await startDevnet({ genesisTime: present - worldSpan, ...(chainId && { chainId }) })
  return { devnet, tasks: await fill(devnet.client, devnet.deployments, present), bundles: [] }
}
