import { setTimeout as wait } from 'node:timers/promises'
import { getSchemaName } from '@svc/index'
import type { Random } from '@svc/simulation/random'
import { type AppProcess, startIndexerProcess } from '../shared/appProcess.ts'
import { type Fixture, formatTimes } from '../shared/fixture.ts'
import { findInconsistency } from '../shared/indexChecks.ts'
import type { ScenarioResult } from '../shared/suite.ts'

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
  const { sql } = fixture
  const [writing, back, bare]: [number[], number[], number[]] = [[], [], []]
  const count: Record<Moment, number> = { anytime: 0, starting: 0, filling: 0, inside: 0 }
  let compared = 0
  const compareRows = async (): Promise<string | null> => {
    compared++
    return fixture.findIndexFault(schema)
  }

  let indexer = start(fixture)
  let [fault, tooSlow]: [string | null, string | null] = [null, null]
  await indexer.waitForBoth('caught up')
  for (let kill = 1; kill <= kills && !fault && !tooSlow; kill++) {
    const moment = random.pick(moments)
    count[moment]++
    const at = await killAt(moment, indexer, fixture, random)
    fault = await findInconsistency(sql, schema)
    indexer = start(fixture)
    await indexer.waitForBoth('writing')
    writing.push(Date.now() - at)
    await indexer.waitForBoth('caught up')
    const took = Date.now() - at
    back.push(took)
    if (took > maxBackMs || kill % bareEvery === 0) {
      const start = await bareStart(fixture)
      bare.push(start)
      if (took > Math.max(maxBackMs, maxBackStarts * start))
        tooSlow = `Both markets were at the head again after ${took} ms; a bare start takes ${start} ms.`
    }
    if (!fault && (kill % compareEvery === 0 || kill === kills)) fault = await compareRows()
  }
  await indexer.kill('SIGKILL')
  return {
    what: `${kills} kills: no gap, no duplicate, every row correct, back within 5 s or ${maxBackStarts} bare starts`,
    figures: `moments ${JSON.stringify(count)}; kill to writing ${formatTimes(writing)}; kill to head ${formatTimes(back)}; bare start ${formatTimes(bare)}; compared ${compared} times`,
    fault,
    tooSlow,
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
    await indexer.kill('SIGKILL')
    const next = start(fixture)
    await wait(random.below(900))
    return kill(next)
  }
  return kill(indexer)
}

async function kill(indexer: AppProcess): Promise<number> {
  const at = Date.now()
  await indexer.kill('SIGKILL')
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
