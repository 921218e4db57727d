import { setTimeout as wait } from 'node:timers/promises'
import {
  createConnector,
  foldFingerprint,
  getSchemaName,
  getServingBuild,
  haltMarket,
  marketNumber,
  serveBuild,
} from '@svc/index'
import { createRandom } from '@svc/simulation/random'
import postgres, { type Sql } from 'postgres'
import { isServing, startIndexerProcess } from '../shared/appProcess.ts'
import type { Fixture } from '../shared/fixture.ts'
import { openSimIndex } from '../shared/indexChecks.ts'
import type { ScenarioResult } from '../shared/suite.ts'
import { createRandomRead } from './randomRead.ts'

const readers = 6
const lockNotAvailable = '55P03'

/**
 * Fills a new build while readers keep reading the old one, switches to it and drops the old build.
 * No read may fail, and each answer must be correct at its block.
 */
export async function rebuildBesideReaders(fixture: Fixture, swaps: number): Promise<ScenarioResult> {
  const { chain, sql, url } = fixture
  const old = await fixture.startIndexer()
  await old.waitForLog('serving')
  const pool = postgres(url, { fetch_types: false, onnotice: () => {}, max: readers })
  const ask = createRandomRead(chain.simulation, openSimIndex(pool))
  const tally = { reads: 0, compared: 0, failed: 0, builds: {} as Record<string, number>, slowest: 0 }
  let [going, fault]: [boolean, string | null] = [true, null]
  const reading = Array.from({ length: readers }, async (_, index) => {
    const random = createRandom(index, 8)
    while (going) {
      const at = performance.now()
      try {
        const { compared, wrong } = await ask(random)
        fault ??= wrong
        if (compared) tally.compared++
      } catch (error) {
        tally.failed++
        fault ??= `A read failed: ${(error as Error).message}`
      }
      tally.slowest = Math.max(tally.slowest, performance.now() - at)
      tally.reads++
      // The simulated chain runs in this process too.
      await wait(10)
    }
  })

  const next = startIndexerProcess(fixture.env('b'))
  await next.waitForLog('serving', isServing('b'), 120_000)
  // Both builds are complete, so they can be swapped back and forth.
  for (let swap = 0; swap < swaps * 2; swap++) await swapTo(sql, swap % 2 === 0 ? 'a' : 'b')
  await old.kill('SIGTERM')
  // An old indexer that is started again by mistake must not serve its build.
  const again = startIndexerProcess(fixture.env('a'))
  await again.waitForLog('replaced')
  await again.kill('SIGTERM')
  const drop = startIndexerProcess(fixture.env('b'), ['--drop-build', 'a'])
  await drop.exited
  if (drop.exitStatus()?.code !== 0) fault ??= `The old build was not dropped: ${JSON.stringify(drop.lines)}`
  await wait(500)
  going = false
  await Promise.all(reading)
  const serving = await getServingBuild(sql)
  if (serving !== 'b') fault ??= `Build ${serving} is being served instead of b.`
  fault ??= await fixture.findIndexFault(getSchemaName('b'))
  await Promise.all([next.kill('SIGKILL'), pool.end({ timeout: 1 })])
  return {
    what: 'rebuild beside readers: no read fails, and every answer is correct',
    figures: `${1 + swaps * 2} swaps, ${tally.reads} reads by ${readers} readers, ${tally.failed} failed, ${tally.compared} compared with the simulation, slowest ${Math.round(tally.slowest)} ms`,
    fault,
  }
}

/** Seconds that the rebuild of a halted market must wait here, and how long the first wait is. */
const [waitSeconds, firstWaitSeconds] = [5, 600]

/**
 * Halts a market shortly after another rebuild, so that the next one must wait. It is not forgotten: the new build is filled when
 * the wait is over, and takes over.
 */
export async function rebuildHaltedMarket({ sql, url, env, findIndexFault }: Fixture): Promise<ScenarioResult> {
  const [build, useless, replacement] = ['halted', 'halted_2', 'halted_3'] as const
  const indexer = startIndexerProcess(env(build))
  await indexer.waitForLog('serving', isServing(build))
  const started = Math.floor(Date.now() / 1_000) - firstWaitSeconds + waitSeconds
  await sql`insert into market.generation values
    (${useless}, ${build}, 2, ${foldFingerprint}, 'planted', ${started}, 'useless')`
  const own = createConnector(url)(getSchemaName(build))
  await haltMarket(own, marketNumber('micro'), 'planted')
  await own.end()
  const halted = Date.now()
  await indexer.waitForLog('serving', isServing(replacement), 120_000)
  const ms = Date.now() - halted
  const waited = indexer.lines.filter(({ msg }) => msg === 'the next rebuild must wait').length
  const wrong = await findIndexFault(getSchemaName(replacement))
  return {
    what: 'a halted market whose rebuild must wait: the new build takes over afterwards',
    figures: `asked for ${waited} times in vain, serving after ${ms} ms`,
    fault: waited === 0 ? 'The rebuild did not have to wait.' : wrong,
  }
}

/** Swaps as the indexer does: retries while a long read holds the lock. */
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
  throw new Error(`Build ${build} could not be swapped in.`)
}
