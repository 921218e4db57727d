import type { Simulation } from '@svc/simulation/chain'
import type { Random } from '@svc/simulation/random'
import type { Trace } from './trace.ts'

/** The special conditions of a seed. */
export interface SeedProfile {
  /** The chain is long enough for reorganisations of 500 to 600 blocks, and has some. */
  deep: boolean
  /** Finalized, deep blocks are read by range, without their headers. */
  settled: boolean
  /** The last reorganisation is deeper than the stored headers: the index must halt. */
  beyond: boolean
  /** Two followers for each market, one of them on standby. */
  standby: boolean
}

/** Draws the profile of a seed. */
export function drawProfile(seed: number, random: Random): SeedProfile {
  const [beyond, deep] = [seed % 25 === 13, seed % 5 === 0]
  return { beyond, deep, settled: beyond || (deep && seed % 2 === 0), standby: random.chance(0.35) }
}

export interface ChainDriver {
  /** Called before each request of a follower. Something happens after a random number of requests, sooner if followers are idle. */
  onRequest: () => void
  onIdle: () => void
  over: () => boolean
  reorgs: number
  deepest: number
  /** A reorganisation deeper than the stored headers has happened. */
  beyond: boolean
}

export interface ChainDriverOptions {
  simulation: Simulation
  random: Random
  trace: Trace
  profile: SeedProfile
  rounds: number
  /** Whether the followers are near the head. Some events make sense only then. */
  isFollowed: () => boolean
}

interface ChainEvent {
  /** Waits until the followers are near the head. */
  patient: boolean
  play: () => void
}

const deepest = 600
/** A patient event happens after this many requests in any case. */
const longestWait = 20_000

/** Mines blocks and reorganises the chain, at every depth, while followers send requests. */
export function createChainDriver({
  simulation,
  random,
  trace,
  profile,
  rounds,
  isFollowed,
}: ChainDriverOptions): ChainDriver {
  const { chain } = simulation
  let [requests, nextAt, acted] = [0, 0, 0]

  const mine = (count: number) => {
    simulation.mine(count)
    trace.record('world', `mines to ${chain.head().number} ${chain.head().hash}`)
  }
  const reorg = (depth: number, length: number, empty: boolean) => {
    simulation.reorg(depth, length, { empty, replay: random.below(100) / 100 })
    if (length === 0) simulation.mine(1)
    world.reorgs++
    world.deepest = Math.max(world.deepest, depth)
    trace.record('world', `goes ${depth} back and ${length} on to ${chain.head().hash}`)
  }
  /** Never deeper than the last finalized block, as on a real chain. */
  const depthUpTo = (most: number) => Math.min(most, chain.head().number - Math.max(1, chain.finalized().number))
  const usual = () => {
    mine(1 + random.below(40))
    if (random.chance(0.5)) return
    const depth = depthUpTo(1 + random.below(random.chance(0.25) ? deepest : 12))
    reorg(depth, random.chance(0.3) ? random.below(depth) : depth + random.below(20), random.chance(0.2))
  }
  const deep = () => {
    const depth = depthUpTo(500 + random.below(101))
    reorg(depth, random.chance(0.3) ? random.below(depth) : depth + random.below(20), random.chance(0.2))
  }
  const pastAll = () => {
    const [head, settled] = [chain.head().number, chain.finalized().number]
    const fork = random.below(settled - 100)
    reorg(head - fork, head - fork, true)
    world.beyond = true
  }
  const usuals = profile.deep ? rounds >> 1 : rounds
  const acts: ChainEvent[] = Array.from({ length: usuals }, () => ({ patient: false, play: usual }))
  if (profile.deep) {
    const dive = { patient: true, play: deep }
    acts.splice(1 + random.below(3), 0, { patient: false, play: () => mine(deepest + random.below(80)) }, dive)
    acts.splice(5 + random.below(4), 0, { patient: false, play: () => mine(deepest + random.below(80)) }, dive)
  }
  if (profile.beyond) acts.splice(rounds >> 2, rounds, { patient: true, play: pastAll })

  const world: ChainDriver = {
    reorgs: 0,
    deepest: 0,
    beyond: false,
    over: () => acted === acts.length,
    onIdle() {
      requests += 60
    },
    onRequest() {
      const act = acts[acted]
      if (!act || ++requests < nextAt) return
      if (act.patient && !isFollowed() && requests < nextAt + longestWait) return
      // Sometimes twice within one step of a follower.
      nextAt = requests + (random.chance(0.25) ? random.below(60) : random.below(2_500))
      acted++
      act.play()
    },
  }
  return world
}
