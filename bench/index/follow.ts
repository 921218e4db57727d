import { setInterval as every } from 'node:timers/promises'
import { createTestDatabase } from '../../test/harness/postgres.ts'
import { startBenchIndexer } from './indexer.ts'
import { startSimulatedChain } from './simulated.ts'
import { readUsage } from './usage.ts'
import { watchRows } from './visible.ts'

export interface FollowOptions {
  seconds: number
  eventsPerBlock: number
  blockMs: number
  profile?: string | undefined
}

/** How the index kept up with a chain that does not wait. */
export interface Followed {
  eventsPerSecond: number
  seconds: number
  /** Milliseconds from a mined block to rows of both markets that another connection can read. */
  p50: number
  p99: number
  /** The maximum. */
  lag: number
  /** Peak memory in the middle third of the time and in the last third, in bytes. */
  warm: number
  end: number
}

/** Blocks that exist before the measurement starts. */
const before = 20
/** The first blocks are not counted: the process compiles its code meanwhile. */
const warmUpMs = 5_000
const limitMs = 120_000

/** Releases blocks at a fixed rate and measures when their rows are visible. */
export async function measureFollow({ seconds, eventsPerBlock, blockMs, profile }: FollowOptions): Promise<Followed> {
  const held = Math.round((seconds * 1000) / blockMs)
  const chain = await startSimulatedChain({ seed: 2, blocks: before, quiet: 0, eventsPerBlock, held })
  const database = await createTestDatabase()
  const released = new Map<number, number>()
  const waits: number[] = []
  let newest = 0
  const watch = await watchRows(database.url, (block) => {
    for (; newest < block; newest++) {
      const at = released.get(newest + 1)
      if (at !== undefined) waits.push(Date.now() - at)
    }
  })
  try {
    const indexer = await startBenchIndexer({ chain, providers: 2, database: database.url, profile })
    const memory = watchMemory(indexer.pid)
    try {
      await watch.reached(chain.head, limitMs)
      memory.begin()
      await chain.release(blockMs, (number, at) => released.set(number, at))
      await watch.reached(chain.head + held, limitMs)
      const sorted = waits.slice(Math.ceil(warmUpMs / blockMs)).toSorted((a, b) => a - b)
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
      return {
        eventsPerSecond: (eventsPerBlock * 1000) / blockMs,
        seconds,
        p50: at(0.5),
        p99: at(0.99),
        lag: at(1),
        ...memory.stop(),
      }
    } catch (error) {
      throw new Error(`The index did not keep up: ${indexer.warnings.join('\n')}`, { cause: error })
    } finally {
      memory.stop()
      await indexer.stop()
    }
  } finally {
    await watch.end()
    await database.drop()
    await chain.stop()
  }
}

/** Samples the memory of a process five times a second. */
function watchMemory(pid: number) {
  const samples: number[] = []
  const stop = new AbortController()
  const sampling = async () => {
    for await (const _ of every(200, undefined, { signal: stop.signal })) samples.push((await readUsage(pid))?.now ?? 0)
  }
  return {
    begin: () => {
      sampling().catch(() => {})
    },
    stop: () => {
      stop.abort()
      const third = Math.floor(samples.length / 3)
      return { warm: Math.max(...samples.slice(third, 2 * third)), end: Math.max(...samples.slice(2 * third)) }
    },
  }
}
