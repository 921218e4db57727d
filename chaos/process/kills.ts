import { setTimeout as wait } from 'node:timers/promises'
import { getSchemaName } from '@svc/index'
import type { Random } from '../sim/random.ts'
import { type AppProcess, bothMarkets, startIndexerProcess } from './appProcess.ts'
import { type Fixture, formatTimes, type ScenarioResult } from './fixture.ts'
import { findInconsistency, findWrongIndex, waitForIndexHead } from './indexChecks.ts'

/** When a process is killed. */
const moments = ['anytime', 'starting', 'filling', 'inside'] as const
type Moment = (typeof moments)[number]

const build = 'a'
const schema = getSchemaName(build)
/** How many kills there are between two comparisons of all rows. */
const compareEvery = 20
const maxBackMs = 5_000
/** On a slow machine, a restart may take as long as this many starts that only check their configuration. */
const maxBackStarts = 5
/** How many kills there are between two measurements of such a bare start. */
const bareEvery = 10

/** Kills the indexer again and again. Each time the next one must continue where the last one stopped. */
export async function killWhileIndexing(fixture: Fixture, kills: number, random: Random): Promise<ScenarioResult> {
  const { chain, sql } = fixture
  const [writing, back, bare]: [number[], number[], number[]] = [[], [], []]
  const count: Record<Moment, number> = { anytime: 0, starting: 0, filling: 0, inside: 0 }
  let compared = 0
  const compareRows = async (): Promise<string | null> => {
    // Rows are read as readers do. A build serves shortly after it has caught up.
    await indexer.waitForLog('serving', (lines) => lines.some(({ msg }) => msg === 'serving'))
    await waitForIndexHead(sql, schema, chain.pause())
    const wrong = (await findInconsistency(sql, schema)) ?? (await findWrongIndex(sql, schema, chain.simulation))
    compared++
    chain.resume()
    return wrong
  }

  let indexer = start(fixture)
  let fault: string | null = null
  await indexer.waitForLog('caught up', bothMarkets('caught up'))
  for (let kill = 1; kill <= kills && !fault; kill++) {
    const moment = random.pick(moments)
    count[moment]++
    const at = await killAt(moment, indexer, fixture, random)
    fault = await findInconsistency(sql, schema)
    indexer = start(fixture)
    await indexer.waitForLog('writing', bothMarkets('writing'))
    writing.push(Date.now() - at)
    await indexer.waitForLog('caught up', bothMarkets('caught up'))
    const took = Date.now() - at
    back.push(took)
    if (took > maxBackMs || kill % bareEvery === 0) {
      const start = await bareStart(fixture)
      bare.push(start)
      if (took > Math.max(maxBackMs, maxBackStarts * start))
        fault ??= `Both markets were at the head again after ${took} ms; a bare start takes ${start} ms.`
    }
    if (!fault && (kill % compareEvery === 0 || kill === kills)) fault = await compareRows()
  }
  indexer.kill('SIGKILL')
  await indexer.exited
  return {
    what: `${kills} kills: no gap, no duplicate, every row correct, back within 5 s or ${maxBackStarts} bare starts`,
    figures: `moments ${JSON.stringify(count)}; kill to writing ${formatTimes(writing)}; kill to head ${formatTimes(back)}; bare start ${formatTimes(bare)}; compared ${compared} times`,
    fault,
  }
}

/** Small steps, so that kills hit many of them midway. */
function start(fixture: Fixture): AppProcess {
  return startIndexerProcess(fixture.env(build, { SVC_INDEX_MAX_BLOCKS: '20' }))
}

async function bareStart(fixture: Fixture): Promise<number> {
  const at = Date.now()
  await startIndexerProcess(fixture.env(build), ['--check-config']).exited
  return Date.now() - at
}

/** Waits for the moment, kills the indexer and returns the time. */
async function killAt(moment: Moment, indexer: AppProcess, fixture: Fixture, random: Random): Promise<number> {
  if (moment === 'inside') return killInside(indexer, fixture, random)
  if (moment === 'filling') {
    fixture.chain.simulation.mine(60 + random.below(100))
    await wait(random.below(250))
  } else await wait(random.below(400))
  if (moment === 'starting') {
    // Kill this one, then kill the next one while it starts.
    indexer.kill('SIGKILL')
    await indexer.exited
    const next = start(fixture)
    await wait(random.below(900))
    return kill(next)
  }
  return kill(indexer)
}

async function kill(indexer: AppProcess): Promise<number> {
  const at = Date.now()
  indexer.kill('SIGKILL')
  await indexer.exited
  return at
}

/** Locks a table so that the writer waits in the middle of its transaction, and kills it there. */
async function killInside(indexer: AppProcess, { sql }: Fixture, random: Random): Promise<number> {
  const table = `${schema}.${random.pick(['header', 'event', 'task', 'entity', 'journal'])}`
  return sql.begin(async (hold) => {
    await hold`lock table ${hold(table)} in share mode`
    for (let look = 0; look < 200; look++) {
      const [waiting] = await sql`select from pg_locks where relation = ${table}::regclass and not granted`
      if (waiting) break
      await wait(10)
    }
    return kill(indexer)
  })
}
