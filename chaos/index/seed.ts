import { chainOf } from '@svc/chain'
import { createBuild, createIndexReader, serveBuild } from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import postgres from 'postgres'
import type { FollowOptions, Progress } from '../../apps/indexer/src/follow.ts'
import { createRandom, type Random } from '../sim/random.ts'
import { createSimulation, type Simulation } from '../sim/simulation.ts'
import { createCrew } from './crew.ts'
import { createFate } from './fate.ts'
import { liarsOf } from './liars.ts'
import { findDifference } from './replay.ts'
import { createStage } from './stage.ts'
import { createTrace } from './trace.ts'
import type { Falsehood } from './truth.ts'
import { createWatch } from './watch.ts'
import { createWorld, type Flavour, flavourOf } from './world.ts'

export interface SeedOptions {
  seed: number
  /** A database of this seed's own. */
  url: string
  /** Restarts the database; where that cannot be done, all connections are ended instead. */
  restart?: () => Promise<void>
  /** Broken parts of the follower, to see them noticed. */
  parts?: FollowOptions['parts']
  /** Hears all that happens. */
  print?: (line: string) => void
}

export interface SeedReport {
  seed: number
  flavour: Flavour
  /** Of all requests with their answers, statements, progress, kills and the world's doings: the same in every run. */
  digest: string
  blocks: number
  events: number
  reorgs: number
  deepest: number
  /** The most blocks that a follower took back at once. */
  rolledBack: number
  kills: number
  restarts: number
  lies: number
  /** Comparisons while it ran, and rows in them. */
  checks: number
  rows: number
  falsehood: Falsehood | null
  halted: string | null
}

const rounds = 14
/** More turns than any seed needs. */
const maxTurns = 200_000
/** Among honest providers nobody stalls for long. */
const maxStalls = 100

/**
 * One random world on one random chain, followed through lying providers, kills and restarts; then everything is compared.
 * All of it is a function of the seed: one follower moves at a time, and the seed says which, and what befalls it.
 */
export async function runSeed({ seed, url, restart, parts, print }: SeedOptions): Promise<SeedReport> {
  const random = createRandom(seed, 77)
  const flavour = flavourOf(seed, random)
  const simulation = simulationOf(seed, flavour, random)
  const liars = liarsOf(simulation, seed, flavour.settled)
  const trace = createTrace(print)
  const report = emptyReport(seed, flavour)
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
  const world = createWorld({ simulation, random: createRandom(seed, 78), trace, flavour, rounds, isFollowed })

  const sql = postgres(url, { fetch_types: false, onnotice: () => {}, max: 8, backoff: () => 0.02, connect_timeout: 5 })
  await createBuild(sql, 'a')
  await serveBuild(sql, 'a')
  const stage = createStage(url, sql, trace)
  const crew = createCrew({
    stage,
    trace,
    random: createRandom(seed, 79),
    simulation,
    chain: chainOf(simulation.places.chainId, simulation.places.multicall3),
    rpcs: liars.rpcs,
    build: 'a',
    maxBlocks: random.pick([7, 20, 50]),
    unsettled: flavour.settled ? 650n : undefined,
    ...(parts && { parts }),
    onRequest: world.onRequest,
    onIdle: world.onIdle,
    onProgress,
  })
  const watch = createWatch(simulation, createIndexReader(sql, nothingElse), trace, report)
  const hire = (market: Market) => stage.settled(crew.hire(market))
  const befall = createFate({ stage, random, trace, report, hire, restart, onRestart: watch.allow })
  const isWrong = () => report.falsehood !== null || (halted.size > 0 && !world.beyond)
  const isOver = () => isWrong() || (world.beyond ? halted.size === markets.length : reached())

  try {
    for (const market of markets) for (let count = flavour.standby ? 2 : 1; count > 0; count--) await hire(market)
    for (let turns = 0; !world.over() && !isWrong() && turns < maxTurns; turns++) {
      await befall(random.pick(stage.ready()))
      if (random.chance(flavour.deep ? 0.003 : 0.006)) await watch.look()
    }
    const comparisons = report.checks
    liars.becomeHonest()
    calm = true
    simulation.mine(1)
    for (let turns = 0; !isOver() && patience > 0 && turns < maxTurns; turns++)
      await stage.go(random.pick(stage.ready()))
    if (!isOver()) report.falsehood ??= wrong('the index', 'does not come to the head', 'comes to it')
    if (!isWrong()) await watch.look(true)
    report.digest = trace.digest()
    crew.stop()
    await stage.empty()
    if (!isWrong() && !world.beyond) report.falsehood ??= await findDifference(simulation, sql, url, 'a')
    if (comparisons === 0) report.falsehood ??= wrong('the comparisons', 0, 'some before the end')
    if (world.beyond !== flavour.beyond) report.falsehood ??= wrong('the world', 'not played to its end', 'all of it')
  } catch (error) {
    report.falsehood ??= wrong('the run', (error as Error).stack, 'no error')
  }
  await stage.close()
  await sql.end({ timeout: 1 })
  return {
    ...report,
    digest: report.digest || trace.digest(),
    blocks: simulation.chain.head().number,
    reorgs: world.reorgs,
    deepest: world.deepest,
    lies: liars.lies(),
    halted: world.beyond ? null : report.halted,
  }
}

/** A chain on which one can go 600 blocks back has many light blocks. */
function simulationOf(seed: number, { deep, beyond }: Flavour, random: Random): Simulation {
  const light = ({ chance, below }: Random) => (chance(0.8) ? 0 : 1 + below(12))
  const usual = ({ chance, below }: Random) => (chance(0.4) ? 0 : 1 + below(chance(0.01) ? 900 : chance(0.1) ? 50 : 12))
  const simulation = createSimulation({
    seed,
    lags: { safe: 60, finalized: 700 },
    load: deep || beyond ? light : usual,
  })
  simulation.mine(60)
  if (beyond) simulation.mine(900 + random.below(300))
  return simulation
}

function emptyReport(seed: number, flavour: Flavour): SeedReport {
  const none = { blocks: 0, events: 0, reorgs: 0, deepest: 0, rolledBack: 0, kills: 0, restarts: 0, lies: 0 }
  return { seed, flavour, digest: '', ...none, checks: 0, rows: 0, falsehood: null, halted: null }
}

const wrong = (what: string, said: unknown, truth: unknown): Falsehood => ({
  market: 'standard',
  block: 0,
  what,
  said,
  truth,
})

const nothingElse = {
  getPlanQuote: () => {
    throw new Error('Prices are not simulated.')
  },
}
