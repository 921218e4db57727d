import { base, type Market, type MarketParams, marketParams, markets } from '@svc/protocol'
import type { Hex } from 'viem'
import { createRandom, type Random } from '../random.ts'
import { type Chain, createSimChain, type Lags, type SimBlock, type SimTransaction } from './chain.ts'
import { uintWord } from './encode.ts'
import { quickHash } from './hash.ts'
import { createOracle, type Oracle } from './oracle.ts'
import { type SimPlaces, simPlaces } from './places.ts'
import { createSuite, type Suite } from './suite/suite.ts'
import { createWallets, type SimWallet } from './wallets.ts'
import { createWorld, type World } from './world.ts'

export interface SimulationOptions {
  seed: number
  chainId?: number
  /** Unix seconds of the first block. */
  startTime?: number
  lags?: Lags
  /** Number of wallets. Every fourth is an arbitrator, every third stakes, and every twelfth cannot be paid directly. */
  wallets?: number
  /** Approximate number of live tasks in each market. */
  liveTasks?: number
  /** The probability that a block is late, at the time of the next deadline. Zero gives regular block times. */
  leaps?: number
  /** The probability that a call shares the transaction of the call before it. */
  bundles?: number
  /** Minimum number of events in a block. By default 0 to 50, rarely up to 900. */
  load?: (random: Random) => number
  /** Every bloom filter matches everything. */
  fullBlooms?: boolean
  /** Receipts prove the logs of a block. Without it, blocks are made three times as fast. */
  receipts?: boolean
  /** Shorter windows, so that tasks end with regular block times. */
  params?: Readonly<Record<Market, MarketParams>>
}

interface ReorgOptions {
  /** The new branch has blocks without transactions. */
  empty?: boolean
  /** The probability that a dropped transaction is included again on the new branch, in the same order. */
  replay?: number
  /** The number of the branch; by default a new one. The same number produces the same blocks again. */
  branch?: number
}

/** A chain, the markets on it and their true state: a pure function of the seed and of the calls made here. */
export interface Simulation {
  chain: Chain
  oracle: Oracle
  suite: Suite
  places: SimPlaces
  wallets: readonly SimWallet[]
  /** The first block with logs of the markets. */
  startBlock: bigint
  /** Mines blocks and returns the last one. */
  mine: (count?: number, options?: { empty?: boolean; events?: number }) => SimBlock
  /** Replaces the newest `depth` blocks by `length` others, which may be fewer or none. Returns the dropped blocks. */
  reorg: (depth: number, length: number, options?: ReorgOptions) => readonly SimBlock[]
  /** Delays the next block by this many seconds. */
  halt: (seconds: number) => void
}

const blocksPerSecond = 5
const openingSize = 400

/** Creates a simulation with one empty block. The second block begins with deposits, bonds and stakes. */
export function createSimulation(options: SimulationOptions): Simulation {
  const { seed, chainId = base.id, startTime = 1_800_000_000, lags = { safe: 600, finalized: 6_000 } } = options
  const { bundles = 0.1, leaps = 0.04, load = usualLoad, params = marketParams, liveTasks = 40 } = options
  const places = simPlaces(chainId)
  const wallets = createWallets(options.wallets ?? 24)
  const unpayable = wallets.filter((_, index) => index % 12 === 11).map(({ address }) => address)
  const suite = createSuite({ places, params, unpayable })
  const world = createWorld(suite, { wallets, liveTasks })
  const opening = world.opening()
  const genesis = { timestamp: startTime, shift: 0, tick: 0, transactions: [], salt: uintWord(seed >>> 0) }
  const chain = createSimChain(genesis, lags, options)
  const oracle = createOracle(suite, (block) => {
    const found = chain.blockAt(block)
    if (!found) throw new RangeError(`The chain has no block ${block}.`)
    return found
  })
  let [branch, branches, halted] = [0, 0, 0]

  const mineOne = (empty: boolean, events: number | undefined, again: SimTransaction[]): SimBlock => {
    const parent = chain.head()
    const number = parent.number + 1
    const random = createRandom(seed, branch, number)
    world.beginBlock()
    const lattice = startTime + Math.floor(number / blocksPerSecond)
    const shift = parent.shift + halted + chooseLeap(world, random, leaps, lattice + parent.shift + halted)
    halted = 0
    const timestamp = lattice + shift
    const context = { number, timestamp }
    const transactions: Parameters<Chain['append']>[0]['transactions'][number][] = []
    let [count, misses] = [0, 0]
    const run = ({ hash, market, call }: SimTransaction) => {
      const receipt = call ? suite.execute(market, call, context) : suite.deployment(market)
      if (typeof receipt === 'string') return false
      transactions.push({ hash, market, call, ...receipt })
      count += receipt.logs.length
      return true
    }
    const hashOfNext = (index: number) => quickHash(`${seed} ${branch} ${number} ${index}`)
    if (number === 1) {
      for (const market of markets) run({ hash: quickHash(`${seed} ${market}`), market, call: null })
    }
    for (const [index, first] of opening.slice((number - 1) * openingSize, number * openingSize).entries()) {
      run({ hash: hashOfNext(1_000_000 + index), ...first })
    }
    const target = events ?? load(random)
    // A transaction is never split between two blocks.
    for (let last = ''; again[0] && (count < Math.max(target, 20) || again[0].hash === last); ) {
      const each = again.shift() as SimTransaction
      last = each.hash
      run(each)
    }
    let own: Hex | null = null
    while (!empty && count < target && misses < 200) {
      const next = world.choose(random, timestamp)
      const hash: Hex = own && random.chance(bundles) ? own : hashOfNext(transactions.length)
      if (next && run({ hash, ...next })) [misses, own] = [0, hash]
      else misses++
    }
    const salt = uintWord(seed >>> 0) + uintWord(branch)
    return chain.append({ timestamp, shift, tick: suite.timeline.tick, transactions, salt })
  }

  return {
    chain,
    oracle,
    suite,
    places,
    wallets,
    startBlock: 1n,
    mine(count = 1, { empty = false, events } = {}) {
      for (let mined = 0; mined < count; mined++) mineOne(empty, events, [])
      return chain.head()
    },
    reorg(depth, length, { empty = false, replay = 0, branch: chosen } = {}) {
      const dropped = chain.drop(depth)
      suite.timeline.rewind(chain.head().tick)
      world.forget()
      branch = chosen ?? branches + 1
      branches = Math.max(branches, branch)
      const dice = createRandom(seed, branch, chain.head().number, 1)
      const again = dropped.flatMap(({ transactions }) => transactions).filter(() => dice.chance(replay))
      for (let mined = 0; mined < length; mined++) mineOne(empty, empty ? 0 : undefined, again)
      return dropped
    },
    halt(seconds) {
      halted += seconds
    },
  }
}

function chooseLeap(world: World, random: Random, leaps: number, now: number): number {
  return random.chance(leaps) ? world.leap(random, now) : 0
}

/** Most blocks have little or nothing, a few are full. */
function usualLoad({ below, chance }: Random): number {
  if (chance(0.35)) return 0
  if (chance(0.8)) return 1 + below(12)
  return chance(0.95) ? 1 + below(50) : 1 + below(900)
}
