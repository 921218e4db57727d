import { setTimeout as wait } from 'node:timers/promises'
import { schemaOf } from '@svc/index'
import type { Random } from '../sim/random.ts'
import { both, type Indexer, startIndexer } from './indexer.ts'
import { type Finding, type Stage, spread } from './stage.ts'
import { atHead, findTear, findUntruth } from './whole.ts'

/** When a process is killed. */
const moments = ['anytime', 'starting', 'filling', 'inside'] as const
type Moment = (typeof moments)[number]

const build = 'a'
const schema = schemaOf(build)
/** Rows are compared with the truth after so many kills, and at the end. */
const compareEvery = 20
const maxBackMs = 5_000
/** Where the machine itself is slow, a start may take so many starts that only check their settings. */
const maxBackStarts = 5
/** What a start costs without any work is measured after so many kills. */
const bareEvery = 10

/** Kills the indexer without warning, again and again; each time the next one must go on where the last one stopped. */
export async function killWhileIndexing(stage: Stage, kills: number, random: Random): Promise<Finding> {
  const { chain, sql } = stage
  const [writing, back, bare]: [number[], number[], number[]] = [[], [], []]
  const count: Record<Moment, number> = { anytime: 0, starting: 0, filling: 0, inside: 0 }
  let compared = 0
  const judge = async (): Promise<string | null> => {
    await atHead(sql, schema, chain.pause())
    const wrong = (await findTear(sql, schema)) ?? (await findUntruth(sql, schema, chain.simulation))
    compared++
    chain.resume()
    return wrong
  }

  let indexer = start(stage)
  let fault: string | null = null
  await indexer.until('caught up', both('caught up'))
  for (let kill = 1; kill <= kills && !fault; kill++) {
    const moment = random.pick(moments)
    count[moment]++
    const at = await killAt(moment, indexer, stage, random)
    fault = await findTear(sql, schema)
    indexer = start(stage)
    await indexer.until('writing', both('writing'))
    writing.push(Date.now() - at)
    await indexer.until('caught up', both('caught up'))
    const took = Date.now() - at
    back.push(took)
    if (took > maxBackMs || kill % bareEvery === 0) {
      const start = await bareStart(stage)
      bare.push(start)
      if (took > Math.max(maxBackMs, maxBackStarts * start))
        fault ??= `It took ${took} ms until both markets were at the head again, and a bare start ${start} ms.`
    }
    if (!fault && (kill % compareEvery === 0 || kill === kills)) fault = await judge()
  }
  indexer.kill('SIGKILL')
  await indexer.gone
  return {
    what: `${kills} kills: no gap, no duplicate, every row true, back in under 5 s, or ${maxBackStarts} bare starts`,
    figures: `moments ${JSON.stringify(count)}; kill to writing ${spread(writing)}; kill to head ${spread(back)}; a start that only checks its settings ${spread(bare)}; compared ${compared} times`,
    fault,
  }
}

/** Small steps: a kill finds many of them begun. */
function start(stage: Stage): Indexer {
  return startIndexer(stage.env(build, { SVC_INDEX_MAX_BLOCKS: '20' }))
}

async function bareStart(stage: Stage): Promise<number> {
  const at = Date.now()
  await startIndexer(stage.env(build), ['--check-config']).gone
  return Date.now() - at
}

/** Waits for the moment and kills; answers when that was. */
async function killAt(moment: Moment, indexer: Indexer, stage: Stage, random: Random): Promise<number> {
  if (moment === 'inside') return killInside(indexer, stage, random)
  if (moment === 'filling') {
    stage.chain.simulation.mine(60 + random.below(100))
    await wait(random.below(250))
  } else await wait(random.below(400))
  if (moment === 'starting') {
    // This one dies of the kill before, so to speak: the next is killed before it knows what it is to do.
    indexer.kill('SIGKILL')
    await indexer.gone
    const next = start(stage)
    await wait(random.below(900))
    return kill(next)
  }
  return kill(indexer)
}

async function kill(indexer: Indexer): Promise<number> {
  const at = Date.now()
  indexer.kill('SIGKILL')
  await indexer.gone
  return at
}

/** Holds a table so that the writer waits in the middle of its transaction, and kills it there. */
async function killInside(indexer: Indexer, { sql }: Stage, random: Random): Promise<number> {
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
