import { setTimeout as wait } from 'node:timers/promises'
import { createIndexReader, schemaOf, serveBuild, servingBuild } from '@svc/index'
import postgres, { type Sql } from 'postgres'
import { createRandom } from '../sim/random.ts'
import { both, startIndexer } from './indexer.ts'
import { createQuestions } from './questions.ts'
import type { Finding, Stage } from './stage.ts'
import { atHead, findTear, findUntruth } from './whole.ts'

const readers = 6
const lockNotAvailable = '55P03'

/**
 * While readers ask without a pause, a new build is filled beside the one that serves, takes over, and the old one is
 * dropped: no read may fail, and each answer must be true at its block.
 */
export async function rebuildBesideReaders(stage: Stage, swaps: number): Promise<Finding> {
  const { chain, sql, url } = stage
  const old = startIndexer(stage.env('a'))
  await old.until('serving', (lines) => both('caught up')(lines) && lines.some(({ msg }) => msg === 'serving'))
  const pool = postgres(url, { fetch_types: false, onnotice: () => {}, max: readers })
  const reader = createIndexReader(pool, { getPlanQuote: () => Promise.reject(new Error('Prices are not simulated.')) })
  const ask = createQuestions(chain.simulation, reader)
  const tally = { reads: 0, judged: 0, failed: 0, builds: {} as Record<string, number>, slowest: 0 }
  let [going, fault]: [boolean, string | null] = [true, null]
  const reading = Array.from({ length: readers }, async (_, index) => {
    const random = createRandom(index, 8)
    while (going) {
      const at = performance.now()
      try {
        const { judged, wrong } = await ask(random)
        fault ??= wrong
        if (judged) tally.judged++
      } catch (error) {
        tally.failed++
        fault ??= `A read failed: ${(error as Error).message}`
      }
      tally.slowest = Math.max(tally.slowest, performance.now() - at)
      tally.reads++
      // The chain lives in this process too.
      await wait(10)
    }
  })

  const next = startIndexer(stage.env('b'))
  await next.until('serving', (lines) => lines.some(({ msg, build }) => msg === 'serving' && build === 'b'), 120_000)
  // Both builds are whole: they may take turns.
  for (let swap = 0; swap < swaps * 2; swap++) await swapTo(sql, swap % 2 === 0 ? 'a' : 'b')
  old.kill('SIGTERM')
  await old.gone
  // What starts again by mistake does not come back before the readers.
  const again = startIndexer(stage.env('a'))
  await again.until('replaced', (lines) => lines.some(({ msg }) => msg === 'replaced'))
  again.kill('SIGTERM')
  await again.gone
  const drop = startIndexer(stage.env('b'), ['--drop-build', 'a'])
  await drop.gone
  if (drop.ended()?.code !== 0) fault ??= `The old build was not dropped: ${JSON.stringify(drop.lines)}`
  await wait(500)
  going = false
  await Promise.all(reading)
  const serving = await servingBuild(sql)
  if (serving !== 'b') fault ??= `Build ${serving} serves.`
  await atHead(sql, schemaOf('b'), chain.pause())
  fault ??= (await findTear(sql, schemaOf('b'))) ?? (await findUntruth(sql, schemaOf('b'), chain.simulation))
  chain.resume()
  next.kill('SIGKILL')
  await Promise.all([next.gone, pool.end({ timeout: 1 })])
  return {
    what: 'a rebuild beside readers: no read fails, and every answer is true',
    figures: `${1 + swaps * 2} swaps, ${tally.reads} reads by ${readers} readers, ${tally.failed} failed, ${tally.judged} compared with the truth, the slowest ${Math.round(tally.slowest)} ms`,
    fault,
  }
}

/** As the indexer does it: a reader that is in the way for long is let through first. */
async function swapTo(sql: Sql, build: string): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const done = await serveBuild(sql, build).then(
      () => true,
      (error: postgres.PostgresError) => {
        if (error.code !== lockNotAvailable) throw error
        return false
      },
    )
    if (done) return
    await wait(50)
  }
  throw new Error(`Build ${build} never got its turn.`)
}
