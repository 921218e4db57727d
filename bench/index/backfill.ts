import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Deployments } from '@svc/chain'
import { createDatabase } from '../../test/harness/postgres.ts'
import type { BenchChain } from './chain.ts'
import { startIndexer } from './indexer.ts'
import { type Usage, watchUsage } from './usage.ts'
import { watchRows } from './visible.ts'

/** What the bare pipeline is told. */
export interface BareOptions {
  url: string
  database: string
  deployments: Deployments
  head: number
  blocksPerRange: number
}

/** One way to fill a database, over all rounds. */
interface Filled {
  /** Events a second, the median of all rounds. */
  rate: number
  /** Its own seconds on a processor, the median of all rounds: what others on the machine do changes it less. */
  cpu: number
  /** The most memory it ever held, in bytes. */
  peak: number
  rounds: number[]
}

export interface Backfill {
  events: number
  blocks: number
  bare: Filled
  /** With one provider, and with two that must agree. */
  one: Filled
  two: Filled
}

type Run = Pick<Usage, 'peak' | 'cpu'> & { seconds: number }

const bareFile = fileURLToPath(new URL('bare.ts', import.meta.url))
/** Blocks a call, for the bare pipeline: as many as the index takes at most in a step. */
const blocksPerRange = 500
const limitMs = 600_000

/** Fills empty databases from one chain, the bare pipeline and the index in turn, process start included. */
export async function measureBackfill(chain: BenchChain, rounds: number, profile?: string): Promise<Backfill> {
  const runs = { bare: [] as Run[], one: [] as Run[], two: [] as Run[] }
  for (let round = 0; round < rounds; round++) {
    runs.bare.push(await runBare(chain))
    runs.one.push(await runIndex(chain, 1))
    runs.two.push(await runIndex(chain, 2, round === 0 ? profile : undefined))
  }
  const filled = (each: readonly Run[]): Filled => ({
    rate: median(each.map(({ seconds }) => chain.events / seconds)),
    cpu: median(each.map(({ cpu }) => cpu)),
    peak: Math.max(...each.map(({ peak }) => peak)),
    rounds: each.map(({ seconds }) => chain.events / seconds),
  })
  return {
    events: chain.events,
    blocks: chain.head,
    bare: filled(runs.bare),
    one: filled(runs.one),
    two: filled(runs.two),
  }
}

async function runBare({ urls: [url = ''], deployments, head, events }: BenchChain): Promise<Run> {
  const database = await createDatabase()
  try {
    const options: BareOptions = { url, database: database.url, deployments, head, blocksPerRange }
    const start = performance.now()
    const child = spawn(process.execPath, [bareFile, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = once(child, 'exit')
    const usage = watchUsage(child.pid ?? 0)
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    await exited
    const seconds = (performance.now() - start) / 1000
    if (Number(printed) !== events) throw new Error(`The bare pipeline copied ${printed} events of ${events}.`)
    return { seconds, ...(await usage()) }
  } finally {
    await database.drop()
  }
}

async function runIndex(chain: BenchChain, providers: number, profile?: string): Promise<Run> {
  const database = await createDatabase()
  const watch = await watchRows(database.url)
  try {
    const start = performance.now()
    const indexer = await startIndexer({ chain, providers, database: database.url, profile })
    const usage = watchUsage(indexer.pid)
    try {
      await watch.reached(chain.head, limitMs)
      const seconds = (performance.now() - start) / 1000
      const written = await watch.events()
      if (written !== chain.events) throw new Error(`The index has ${written} events of ${chain.events}.`)
      return { seconds, ...(await usage()) }
    } catch (error) {
      throw new Error(`The index did not get there: ${indexer.warnings.join('\n')}`, { cause: error })
    } finally {
      await usage()
      await indexer.stop()
    }
  } finally {
    await watch.end()
    await database.drop()
  }
}

/** The middle one of some figures. */
function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
