import type { Random } from '../sim/random.ts'
import type { Simulation } from '../sim/simulation.ts'
import type { Trace } from './trace.ts'

/** What kind of life a seed has. */
export interface Flavour {
  /** Long enough for reorganisations of 500 to 600 blocks, and with some of them. */
  deep: boolean
  /** Blocks that are final and deep enough are read by range, without their headers. */
  settled: boolean
  /** In the end the chain goes another way before everything that the index keeps: it must halt. */
  beyond: boolean
  /** Two followers of each market, of which one stands by. */
  standby: boolean
}

/** The flavour of a seed. */
export function flavourOf(seed: number, random: Random): Flavour {
  const [beyond, deep] = [seed % 25 === 13, seed % 5 === 0]
  return { beyond, deep, settled: beyond || (deep && seed % 2 === 0), standby: random.chance(0.35) }
}

export interface World {
  /** Called before each request of a follower: every so many of them something happens; sooner when they are idle. */
  onRequest: () => void
  onIdle: () => void
  over: () => boolean
  reorgs: number
  deepest: number
  /** The chain has gone another way before everything that the index keeps. */
  beyond: boolean
}

export interface WorldOptions {
  simulation: Simulation
  random: Random
  trace: Trace
  flavour: Flavour
  rounds: number
  /** Whether the followers are near the head: some things are only worth doing then. */
  isFollowed: () => boolean
}

interface Act {
  /** Waits until it is followed. */
  patient: boolean
  play: () => void
}

const deepest = 600
/** A patient act happens after so many requests in any case. */
const longestWait = 20_000

/** A chain that goes on as its followers ask: blocks, and reorganisations of every depth. */
export function createWorld({ simulation, random, trace, flavour, rounds, isFollowed }: WorldOptions): World {
  const { chain } = simulation
  let [requests, nextAt, acted] = [0, 0, 0]

  const mine = (count: number) => {
    simulation.mine(count)
    trace.note('world', `mines to ${chain.head().number} ${chain.head().hash}`)
  }
  const reorg = (depth: number, length: number, empty: boolean) => {
    simulation.reorg(depth, length, { empty, replay: random.below(100) / 100 })
    if (length === 0) simulation.mine(1)
    world.reorgs++
    world.deepest = Math.max(world.deepest, depth)
    trace.note('world', `goes ${depth} back and ${length} on to ${chain.head().hash}`)
  }
  /** No deeper than what is final, as on a chain that keeps its word. */
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
  const usuals = flavour.deep ? rounds >> 1 : rounds
  const acts: Act[] = Array.from({ length: usuals }, () => ({ patient: false, play: usual }))
  if (flavour.deep) {
    const dive = { patient: true, play: deep }
    acts.splice(1 + random.below(3), 0, { patient: false, play: () => mine(deepest + random.below(80)) }, dive)
    acts.splice(5 + random.below(4), 0, { patient: false, play: () => mine(deepest + random.below(80)) }, dive)
  }
  if (flavour.beyond) acts.splice(rounds >> 2, rounds, { patient: true, play: pastAll })

  const world: World = {
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
      // Now and then twice within one step of a follower.
      nextAt = requests + (random.chance(0.25) ? random.below(60) : random.below(2_500))
      acted++
      act.play()
    },
  }
  return world
}
