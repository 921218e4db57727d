import {
  chainOf,
  createChainReader,
  createProviders,
  createRpc,
  type MarketReader,
  marketPlaces,
  type Providers,
} from '@svc/chain'
import { type buildWorld, type Devnet, multicall3, startDevnet, type Told, type World, worldSpan } from '@svc/devnet'
import { connector, createBuild, createIndexReader, serveBuild } from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import postgres, { type Sql } from 'postgres'
import { follow, type Progress } from '../../apps/indexer/src/follow.ts'
import { startDemoWorld } from './demoWorld.ts'
import { createDatabase, type TestDatabase } from './postgres.ts'

/** A devnet with the demo world on it, and an index that follows it. */
export interface IndexedWorld {
  devnet: Devnet
  told: readonly Told[]
  database: TestDatabase
  sql: Sql
  providers: Providers
  direct: MarketReader
  indexed: MarketReader
  /** Settles when both markets are at the chain's newest block. */
  reachedHead: () => Promise<void>
  stop: () => Promise<void>
}

/** The build that the index fills. */
export const build = 'a'

export interface WorldOptions {
  /** What happens on the chain until the present, instead of the demo world. */
  fill?: typeof buildWorld
  database?: () => Promise<TestDatabase>
  /** Hears why the index does not move. */
  onStalled?: (error: Error) => void
}

/** Starts all of it. */
export async function startIndexedWorld(options: WorldOptions = {}): Promise<IndexedWorld> {
  const { fill, database: makeDatabase = createDatabase, onStalled = console.error } = options
  const { devnet, told } = await (fill ? startFilled(fill) : startDemoWorld())
  const database = await makeDatabase()
  const sql = postgres(database.url, { fetch_types: false, onnotice: () => {}, max: 10 })
  await createBuild(sql, build)
  const { markets: own } = devnet.deployments
  const providers = createProviders([createRpc({ name: 'anvil', url: devnet.rpcUrl })], chainOf(8453, multicall3))
  const direct = createChainReader(providers, marketPlaces(devnet.deployments))
  const stop = new AbortController()
  const waiters = new Set<() => void>()
  const heads = new Map<Market, string>()
  const running = markets.map((market) =>
    follow({
      market,
      build,
      connect: connector(database.url),
      providers: providers.all,
      chainId: 8453,
      contracts: own[market],
      startBlock: 0n,
      onProgress: (progress: Progress) => {
        if ('cursor' in progress) heads.set(market, progress.cursor.hash)
        for (const wake of waiters) wake()
        if (progress.kind === 'stalled') onStalled(progress.error)
      },
      pause: () => new Promise((done) => setTimeout(done, 20)),
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
    told,
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

async function startFilled(fill: typeof buildWorld): Promise<World> {
  const present = Math.floor(Date.now() / 1000)
  const devnet = await startDevnet({ genesisTime: present - worldSpan })
  return { devnet, told: await fill(devnet.client, devnet.deployments, present) }
}
