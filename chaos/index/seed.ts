import { createViemChain } from '@svc/chain'
import { createBuild, serveBuild } from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { createSimulation, type Simulation } from '@svc/simulation/chain'
import { createRandom, type Random } from '@svc/simulation/random'
import postgres from 'postgres'
import type { FollowOptions, Progress } from '../../apps/indexer/src/follow.ts'
import type { Mismatch } from '../shared/findMismatch.ts'
import { openSimIndex } from '../shared/indexChecks.ts'
import { createChainDriver, drawProfile, type SeedProfile } from './chainDriver.ts'
import { createComparison } from './comparison.ts'
import { createFaultInjector } from './faultInjector.ts'
import { createFaultyProviders } from './faultyProviders.ts'
import { createFollowers } from './followers.ts'
import { findDifference } from './replay.ts'
import { createScheduler } from './scheduler.ts'
import { createTrace } from './trace.ts'

export interface SeedOptions {
  seed: number
  /** The seed's own database. */
  url: string
  /** Restarts the database. Without it, all connections are cut instead. */
  restart?: () => Promise<void>
  /** Defective parts of the follower, to test that they are noticed. */
  parts?: FollowOptions['parts']
  /** Receives everything that happens. */
  print?: (connection: string) => void
}

export interface SeedReport {
  seed: number
  profile: SeedProfile
  /** Digest of all requests, answers, statements, progress, kills and chain events. The same in every run. */
  digest: string
  blocks: number
  events: number
  reorgs: number
  deepest: number
  /** The most blocks that a follower rolled back at once. */
  rolledBack: number
  kills: number
  restarts: number
  providerFaults: number
  /** Comparisons during the run, and the rows they covered. */
  checks: number
  rows: number
  mismatch: Mismatch | null
  halted: string | null
}

const rounds = 14
/** More turns than any seed needs. */
const maxTurns = 200_000
/** With honest providers, followers do not stall for long. */
const maxStalls = 100

/**
 * Follows one random chain through faulty providers, kills and restarts, then compares everything.
 * It is a function of the seed: one follower moves at a time, and the seed decides which one and which faults it meets.
 */
export async function runSeed({ seed, url, restart, parts, print }: SeedOptions): Promise<SeedReport> {
  const random = createRandom(seed, 77)
  const profile = drawProfile(seed, random)
  const simulation = createSeedSimulation(seed, profile, random)
  const providers = createFaultyProviders(simulation, seed, profile.settled)
  const trace = createTrace(print)
  const report = emptyReport(seed, profile)
  const heads = new Map<Market, { number: bigint; hash: string }>()
  const halted = new Set<Market>()
  let [calm, patience] = [false, maxStalls]
  const onProgress = (market: Market, progress: Progress) => {
    if ('cursor' in progress) heads.set(market, progress.cursor)
    if (progress.kind === 'appended') report.events += progress.events
    if (progress.kind === 'rolledBack') report.rolledBack = Math.max(report.rolledBack, Number(progress.depth))
    if (progress.kind === 'stalled' && calm) patience--
    if (progress.kind !== 'halted') return
    halted.add(market)
    report.halted = progress.reason
  }
  const isFollowed = () =>
    markets.every((market) => Number(heads.get(market)?.number ?? 0n) > simulation.chain.head().number - 8)
  const reached = () => markets.every((market) => heads.get(market)?.hash === simulation.chain.head().hash)
  const driver = createChainDriver({
    simulation,
    random: createRandom(seed, 78),
    trace,
    profile,
    rounds,
    isFollowed,
  })

  const sql = postgres(url, { fetch_types: false, onnotice: () => {}, max: 8, backoff: () => 0.02, connect_timeout: 5 })
  await createBuild(sql, 'a')
  await serveBuild(sql, 'a')
  const scheduler = createScheduler(url, sql, trace)
  const followers = createFollowers({
    scheduler,
    trace,
    random: createRandom(seed, 79),
    simulation,
    chain: createViemChain(simulation.places.chainId, simulation.places.multicall3),
    rpcs: providers.rpcs,
    build: 'a',
    maxBlocks: random.pick([7, 20, 50]),
    unsettled: profile.settled ? 650n : undefined,
    ...(parts && { parts }),
    onRequest: driver.onRequest,
    onIdle: driver.onIdle,
    onProgress,
  })
  const comparison = createComparison(simulation, openSimIndex(sql), trace, report)
  const startFollower = (market: Market) => scheduler.waitUntilParked(followers.start(market))
  const runTurn = createFaultInjector({
    scheduler,
    random,
    trace,
    report,
    startFollower,
    restart,
    onRestart: comparison.allowReconnects,
  })
  const isWrong = () => report.mismatch !== null || (halted.size > 0 && !driver.beyond)
  const isOver = () => isWrong() || (driver.beyond ? halted.size === markets.length : reached())

  try {
    for (const market of markets)
      for (let count = profile.standby ? 2 : 1; count > 0; count--) await startFollower(market)
    for (let turns = 0; !driver.over() && !isWrong() && turns < maxTurns; turns++) {
      await runTurn(random.pick(scheduler.ready()))
      if (random.chance(profile.deep ? 0.004 : 0.01)) await comparison.compare()
    }
    const comparisons = report.checks
    providers.becomeHonest()
    calm = true
    simulation.mine(1)
    for (let turns = 0; !isOver() && patience > 0 && turns < maxTurns; turns++)
      await scheduler.advance(random.pick(scheduler.ready()))
    if (!isOver()) report.mismatch ??= mismatch('the index', 'does not reach the head', 'reaches it')
    if (!isWrong()) await comparison.compare(true)
    report.digest = trace.digest()
    followers.stop()
    await scheduler.drain()
    if (!isWrong() && !driver.beyond) report.mismatch ??= await findDifference(simulation, sql, url, 'a')
    if (comparisons === 0) report.mismatch ??= mismatch('the comparisons', 0, 'at least one before the end')
    if (driver.beyond !== profile.beyond) report.mismatch ??= mismatch('the world', 'not finished', 'finished')
  } catch (error) {
    report.mismatch ??= mismatch('the run', (error as Error).stack, 'no error')
  }
  await scheduler.close()
  await sql.end({ timeout: 1 })
  return {
    ...report,
    digest: report.digest || trace.digest(),
    blocks: simulation.chain.head().number,
    reorgs: driver.reorgs,
    deepest: driver.deepest,
    providerFaults: providers.faults(),
    halted: driver.beyond ? null : report.halted,
  }
}

/** Reorganisations of 600 blocks need a chain with many light blocks. */
function createSeedSimulation(seed: number, { deep, beyond }: SeedProfile, random: Random): Simulation {
  const light = ({ chance, below }: Random) => (chance(0.8) ? 0 : 1 + below(12))
  const usual = ({ chance, below }: Random) => (chance(0.4) ? 0 : 1 + below(chance(0.01) ? 900 : chance(0.1) ? 50 : 12))
  const simulation = createSimulation({
    receipts: true,
    seed,
    lags: { safe: 60, finalized: 700 },
    load: deep || beyond ? light : usual,
  })
  simulation.mine(60)
  if (beyond) simulation.mine(900 + random.below(300))
  return simulation
}

function emptyReport(seed: number, profile: SeedProfile): SeedReport {
  const none = { blocks: 0, events: 0, reorgs: 0, deepest: 0, rolledBack: 0, kills: 0, restarts: 0, providerFaults: 0 }
  return { seed, profile, digest: '', ...none, checks: 0, rows: 0, mismatch: null, halted: null }
}

const mismatch = (what: string, actual: unknown, expected: unknown): Mismatch => ({
  market: 'standard',
  block: 0,
  what,
  actual,
  expected,
})
