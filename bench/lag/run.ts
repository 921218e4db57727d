import { createTestDatabase } from '../../test/harness/postgres.ts'
import { startBenchIndexer } from '../index/indexer.ts'
import { type CallCounts, startSimulatedChain } from '../index/simulated.ts'
import { watchRows } from '../index/visible.ts'
import { type Bill, estimateBill } from './bill.ts'
import { type MachineDelays, watchMachine } from './machine.ts'

export interface LagOptions {
  seconds: number
  /** Whether the providers push heads. Without it they are polled. */
  sockets: boolean
}

/** How far the index was behind a chain of 200 ms blocks, and what that cost. */
export interface LagReport {
  blocks: number
  /** Milliseconds from a mined block to rows of both markets that another connection can read. */
  p50: number
  p99: number
  longest: number
  /** The share of blocks that took longer than 2 s. */
  late: number
  /** Calls of all providers and both markets, without pushed heads. */
  callsPerBlock: number
  headsPerBlock: number
  bill: Bill[]
  machine: MachineDelays
  warnings: readonly string[]
}

const blockMs = 200
/** Blocks that exist before the measurement starts. */
const before = 20
const limitMs = 120_000
/** Milliseconds until each provider answers. */
export const latencies = [120, 200, 160]

/**
 * Follows a chain of 5 blocks a second through three providers with the latency of real ones. Every bloom filter is full, as on a
 * busy chain, so that no block can be skipped because of it. All calls of the indexer count, also its comparisons.
 */
export async function measureLag({ seconds, sockets }: LagOptions): Promise<LagReport> {
  const held = Math.round((seconds * 1000) / blockMs)
  const chain = await startSimulatedChain({
    seed: 3,
    blocks: before,
    quiet: 0,
    eventsPerBlock: 10,
    emptyShare: 0.5,
    held,
    fullBlooms: true,
    latencies,
    maxRange: 2_000,
  })
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
    const env = {
      ...(sockets && { CHAIN_WS_URL: chain.socketUrls.join(',') }),
      // A short run would count one comparison or none, by chance.
      ...(seconds < 60 && { SVC_INDEX_SAMPLE_SECONDS: '600' }),
    }
    const indexer = await startBenchIndexer({ chain, providers: latencies.length, database: database.url, env })
    try {
      await watch.reached(chain.head, limitMs)
      // The comparison before it serves is not part of following.
      await watch.serving(limitMs)
      const start = await chain.countCalls()
      const machine = await watchMachine(database.url)
      await chain.release(blockMs, (number, at) => released.set(number, at))
      await watch.reached(chain.head + held, limitMs)
      const counts = subtract(await chain.countCalls(), start)
      const bill = estimateBill(counts, held, blockMs)
      const sorted = waits.toSorted((a, b) => a - b)
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
      const sum = (rows: readonly Bill[]) => rows.reduce((total, { callsPerBlock }) => total + callsPerBlock, 0)
      return {
        blocks: held,
        p50: at(0.5),
        p99: at(0.99),
        longest: at(1),
        late: waits.filter((ms) => ms > 2_000).length / held,
        callsPerBlock: sum(bill.filter(({ method }) => method !== 'newHeads')),
        headsPerBlock: sum(bill.filter(({ method }) => method === 'newHeads')),
        bill,
        machine: await machine.stop(),
        warnings: indexer.warnings,
      }
    } catch (error) {
      throw new Error(`The index did not keep up: ${indexer.warnings.join('\n')}`, { cause: error })
    } finally {
      await indexer.stop()
    }
  } finally {
    await watch.end()
    await database.drop()
    await chain.stop()
  }
}

const subtract = (counts: readonly CallCounts[], start: readonly CallCounts[]): CallCounts[] =>
  counts.map((count, index) =>
    Object.fromEntries(Object.entries(count).map(([method, calls]) => [method, calls - (start[index]?.[method] ?? 0)])),
  )
