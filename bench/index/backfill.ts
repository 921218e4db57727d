import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Deployments } from '@svc/chain'
import { createTestDatabase } from '../../test/harness/postgres.ts'
import type { BenchChain } from './chain.ts'
import { compileCache, startBenchIndexer } from './indexer.ts'
import { type Usage, watchUsage } from './usage.ts'
import { watchRows } from './visible.ts'

/** The arguments of the bare pipeline. */
export interface BareOptions {
  url: string
  database: string
  deployments: Deployments
  head: number
  blocksPerRange: number
}

/** One way to fill a database, over all rounds. */
interface Filled {
  /** Events per second, the median of all rounds. */
  rate: number
  /** Its CPU seconds, the median of all rounds. Other load on the machine affects them less. */
  cpu: number
  /** Its peak memory, in bytes. */
  peak: number
  rounds: number[]
}

export interface Backfill {
  events: number
  blocks: number
  bare: Filled
  /** The index with one provider, with two that must agree, and so on. */
  index: Filled[]
}

type Run = Pick<Usage, 'peak' | 'cpu'> & { seconds: number }

const bareFile = fileURLToPath(new URL('bare.ts', import.meta.url))
/** Blocks per call of the bare pipeline: as many as the index reads at most in a step. */
const blocksPerRange = 500
const limitMs = 600_000

/** Fills empty databases from one chain, with the bare pipeline and the index in turn. Includes the start of the process. */
export async function measureBackfill(chain: BenchChain, rounds: number, profile?: string): Promise<Backfill> {
  const bare: Run[] = []
  const index = chain.urls.map((): Run[] => [])
  for (let round = 0; round < rounds; round++) {
    bare.push(await runBare(chain))
    for (const [at, runs] of index.entries())
      runs.push(await runIndex(chain, at + 1, round === 0 && at === 1 ? profile : undefined))
  }
  const filled = (each: readonly Run[]): Filled => ({
    rate: median(each.map(({ seconds }) => chain.events / seconds)),
    cpu: median(each.map(({ cpu }) => cpu)),
    peak: Math.max(...each.map(({ peak }) => peak)),
    rounds: each.map(({ seconds }) => chain.events / seconds),
  })
  return { events: chain.events, blocks: chain.head, bare: filled(bare), index: index.map(filled) }
}

async function runBare({ urls: [url = ''], deployments, head, events }: BenchChain): Promise<Run> {
  const database = await createTestDatabase()
  try {
    const options: BareOptions = { url, database: database.url, deployments, head, blocksPerRange }
    const start = performance.now()
    const child = spawn(process.execPath, [bareFile, JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: compileCache,
    })
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
  const database = await createTestDatabase()
  const watch = await watchRows(database.url)
  try {
    const start = performance.now()
    const indexer = await startBenchIndexer({ chain, providers, database: database.url, profile })
    const usage = watchUsage(indexer.pid)
    try {
      await watch.reached(chain.head, limitMs)
      const seconds = (performance.now() - start) / 1000
      const written = await watch.events()
      if (written !== chain.events) throw new Error(`The index has ${written} events of ${chain.events}.`)
      return { seconds, ...(await usage()) }
    } catch (error) {
      throw new Error(`The index did not reach the head: ${indexer.warnings.join('\n')}`, { cause: error })
    } finally {
      await usage()
      await indexer.stop()
    }
  } finally {
    await watch.end()
    await database.drop()
  }
}

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
