import { chainOf, type MarketReader, type Provider, providerOf } from '@svc/chain'
import { connector, createBuild, createIndexReader, dropBuild, schemaOf, serveBuild } from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import postgres, { type Sql } from 'postgres'
import { type FollowOptions, follow, type Progress } from '../../apps/indexer/src/follow.ts'
import { createFaultyNode, type FaultyNode } from '../sim/faults.ts'
import { createNode } from '../sim/node.ts'
import { createRandom } from '../sim/random.ts'
import { simRpc } from '../sim/rpc.ts'
import { createSimulation, type Simulation } from '../sim/simulation.ts'
import { type Falsehood, findFalsehood } from './truth.ts'

export interface SeedOptions {
  seed: number
  /** A database of this seed's own. */
  url: string
  /** Restarts the database, where that can be done. */
  restart?: () => Promise<void>
  /** Broken parts of the follower, to see them noticed. */
  parts?: FollowOptions['parts']
  /** How often the world goes on before the end is compared. */
  rounds?: number
  trace?: (market: Market, progress: Progress) => void
}

export interface SeedReport {
  seed: number
  blocks: number
  events: number
  reorgs: number
  deepest: number
  kills: number
  restarts: number
  lies: number
  /** Comparisons while it ran, and rows in them. */
  checks: number
  rows: number
  falsehood: Falsehood | null
  halted: string | null
  /** Hears every step of every follower. */
  trace?: ((market: Market, progress: Progress) => void) | undefined
}

const lagOfFinalized = 700

/** One random world on one random chain, followed through lying providers, kills and restarts; then everything is compared. */
export async function runSeed({ seed, url, restart, parts, rounds = 14, trace }: SeedOptions): Promise<SeedReport> {
  const random = createRandom(seed, 77)
  const simulation = createSimulation({ seed, lags: { safe: 60, finalized: lagOfFinalized } })
  const other = createSimulation({ seed: seed + 1_000_000 })
  other.mine(40)
  const nodes = [0, 1, 2].map((index) => faultyNode(simulation, other, seed, index))
  const chain = chainOf(simulation.places.chainId, simulation.places.multicall3)
  const providers = nodes.map((node, index) => providerOf(simRpc(node, { name: `node ${index}` }), chain))
  const sql = postgres(url, {
    fetch_types: false,
    onnotice: () => {},
    max: 12,
    backoff: () => 0.05,
    connect_timeout: 2,
  })
  const report: SeedReport = {
    seed,
    blocks: 0,
    events: 0,
    reorgs: 0,
    deepest: 0,
    kills: 0,
    restarts: 0,
    lies: 0,
    checks: 0,
    rows: 0,
    falsehood: null,
    halted: null,
    trace,
  }
  simulation.mine(60)
  await createBuild(sql, 'a')
  await serveBuild(sql, 'a')
  const reader = createIndexReader(sql, nothingElse)
  let crew = hire(simulation, url, providers, 'a', parts, report)

  for (let round = 0; round < rounds && !report.falsehood && !report.halted; round++) {
    simulation.mine(1 + random.below(40))
    if (random.chance(0.5)) {
      const depth = 1 + random.below(random.chance(0.3) ? Math.min(600, simulation.chain.head().number - 2) : 12)
      const length = random.chance(0.3) ? random.below(depth) : depth + random.below(20)
      simulation.reorg(depth, length, { empty: random.chance(0.2), replay: random.below(100) / 100 })
      report.reorgs++
      report.deepest = Math.max(report.deepest, depth)
      if (length === 0) simulation.mine(1)
    }
    await moments(random.below(30))
    if (random.chance(0.4)) {
      await terminate(url)
      report.kills++
    } else if (random.chance(0.3)) {
      // As kill -9 does: what was in memory is gone, what was begun is not finished.
      crew.stop()
      await terminate(url)
      await crew.gone
      crew = hire(simulation, url, providers, 'a', parts, report)
      report.kills++
    }
    if (restart && random.chance(0.06)) {
      await restart()
      report.restarts++
    }
    await check(simulation, reader, report)
  }

  for (const node of nodes) node.setHonest(true)
  simulation.mine(1)
  if (!report.falsehood && !report.halted) await crew.reached(simulation.chain.head().hash)
  await check(simulation, reader, report)
  crew.stop()
  await crew.gone
  if (!report.falsehood && !report.halted) await compareWithReplay(simulation, sql, url, chainOf(8453), report)
  report.blocks = simulation.chain.head().number
  report.lies = nodes.reduce((sum, { lies }) => sum + lies.length, 0)
  await sql.end({ timeout: 1 })
  return report
}

function faultyNode(simulation: Simulation, other: Simulation, seed: number, index: number): FaultyNode {
  const random = createRandom(seed, 99, index)
  const odd = () => random.below(6) / 100
  return createFaultyNode(simulation, {
    random,
    odds: {
      emptyLogs: odd(),
      partialLogs: odd(),
      duplicateLogs: odd(),
      shuffledLogs: odd(),
      foreignLogs: odd(),
      staleHead: odd() * 2,
      wrongParent: odd() / 4,
      nullBlock: odd() / 4,
      otherChain: odd() / 4,
      notJson: odd() / 4,
      truncatedJson: odd() / 4,
      tooManyRequests: odd() / 8,
      serverError: odd() / 4,
      silence: odd() / 4,
    },
    ...(random.chance(0.5) && { rangeLimit: true as const }),
    ...(random.chance(0.5) && { logLimit: true as const }),
    blockTimestamps: random.chance(0.7),
    keepsOrphans: random.chance(0.5),
    other: createNode(other),
  })
}

/** The followers of both markets. */
function hire(
  simulation: Simulation,
  url: string,
  providers: readonly Provider[],
  build: string,
  parts: FollowOptions['parts'],
  report: Pick<SeedReport, 'events' | 'halted' | 'trace'>,
) {
  const stop = new AbortController()
  const heads = new Map<Market, string>()
  const waiters = new Set<() => void>()
  const wake = () => {
    for (const waiter of waiters) waiter()
    waiters.clear()
  }
  const onProgress = (market: Market) => (progress: Progress) => {
    if ('cursor' in progress) heads.set(market, progress.cursor.hash)
    if (progress.kind === 'appended') report.events += progress.events
    if (progress.kind === 'halted') report.halted = progress.reason
    report.trace?.(market, progress)
    wake()
  }
  const gone = Promise.all(
    markets.map((market) =>
      follow({
        market,
        build,
        connect: connector(url),
        providers,
        chainId: simulation.places.chainId,
        contracts: simulation.places.markets[market],
        startBlock: simulation.startBlock,
        maxBlocks: 50,
        onProgress: onProgress(market),
        pause: () => moments(1),
        signal: stop.signal,
        ...(parts && { parts }),
      }),
    ),
  )
  return {
    gone,
    stop: () => stop.abort(),
    /** Settles when both markets are at this block, or one is halted. */
    async reached(hash: string): Promise<void> {
      while (!report.halted && !markets.every((market) => heads.get(market) === hash)) {
        await new Promise<void>((done) => {
          waiters.add(done)
        })
      }
    },
  }
}

async function check(simulation: Simulation, reader: MarketReader, report: SeedReport): Promise<void> {
  for (const market of markets) {
    const found = await findFalsehood(simulation, reader, market).catch(() => null)
    if (!found) continue
    report.checks++
    report.rows += found.rows
    report.falsehood ??= found.falsehood
  }
}

/** A second index, filled from nothing by one honest node, must have the same rows and the same digest. */
async function compareWithReplay(
  simulation: Simulation,
  sql: Sql,
  url: string,
  chain: ReturnType<typeof chainOf>,
  report: SeedReport,
): Promise<void> {
  await createBuild(sql, 'b')
  const crew = hire(
    simulation,
    url,
    [providerOf(simRpc(createNode(simulation), { name: 'honest' }), chain)],
    'b',
    undefined,
    { events: 0, halted: null },
  )
  await crew.reached(simulation.chain.head().hash)
  crew.stop()
  await crew.gone
  for (const table of ['cursor', 'event', 'task', 'agent', 'arbitrator', 'entity']) {
    const [a, b] = ['a', 'b'].map((build) => sql(`${schemaOf(build)}.${table}`)) as [never, never]
    const columns = table === 'cursor' ? sql`market, number, hash, digest, events` : sql`*`
    const rows = await sql`(select ${columns} from ${a} except select ${columns} from ${b})
      union all (select ${columns} from ${b} except select ${columns} from ${a}) limit 1`
    if (rows.length > 0) {
      report.falsehood ??= {
        market: 'standard',
        block: simulation.chain.head().number,
        what: `a row of ${table}`,
        said: rows[0],
        truth: 'not in both',
      }
    }
  }
  await dropBuild(sql, 'b')
}

/** Ends every connection of the followers from outside. */
async function terminate(url: string): Promise<void> {
  const admin = postgres(url, { fetch_types: false, max: 1, onnotice: () => {}, connect_timeout: 2 })
  try {
    await admin`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
  } catch {
    // It is being restarted: all connections are gone already.
  } finally {
    await admin.end({ timeout: 1 })
  }
}

/** Lets others run for so many turns. */
async function moments(count: number): Promise<void> {
  for (let turn = 0; turn <= count; turn++) await new Promise((done) => setImmediate(done))
}

const nothingElse = {
  getPlanQuote: () => {
    throw new Error('Prices are not simulated.')
  },
}
