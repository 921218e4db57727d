import { getServingBuild, marketNumber, type Walk } from '@svc/index'
import type { Market } from '@svc/protocol'
import type { Sql } from 'postgres'
import type { rowKinds } from '../../apps/indexer/src/rowKinds.ts'
import { type AppProcess, isServing } from '../shared/appProcess.ts'
import type { Fixture } from '../shared/fixture.ts'
import { waitForIndexHead } from '../shared/indexChecks.ts'
import { startLoad } from '../shared/load.ts'
import { startReplica, waitUntil } from '../shared/replica.ts'
import type { ScenarioResult } from '../shared/suite.ts'

type Kind = keyof typeof rowKinds

const market: Market = 'micro'
const requestsPerSecond = 40
/** A wrong row must be right after so many walks through all rows. */
const maxRounds = 2

/** A change of a row that no event made. It returns the row's table and the condition that finds it. */
const changes: Readonly<Record<Kind, { table: string; where: string; field: string; value: string }>> = {
  task: { table: 'task', where: 'key = 3', field: 'maxRevisions', value: '77' },
  dispute: ofEntity('dispute', 'workerBps', '1'),
  agent: ofWallet('agent', 'earned', '"7n"'),
  arbitrator: ofWallet('arbitrator', 'resolved', '77'),
  union: ofEntity('union', 'totalStaked', '"7n"'),
  // A market that was never paused has no such row.
  entries: ofEntity('entries', 'paused', 'true'),
  ledger: ofEntity('ledger', 'buyer,taskCount', '77'),
}

function ofEntity(kind: string, field: string, value: string) {
  const where = `kind = '${kind}' and key = (select min(key) from index_a.entity where market = 1 and kind = '${kind}')`
  return { table: 'entity', where, field, value }
}

function ofWallet(table: 'agent' | 'arbitrator', field: string, value: string) {
  return {
    table,
    where: `key = (select key from index_a.${table} where market = 1 order by key limit 1)`,
    field,
    value,
  }
}

/** Makes a row of this kind wrong. */
async function tamper(sql: Sql, kind: Kind): Promise<void> {
  const { table, where, field, value } = changes[kind]
  const own = `market = ${marketNumber(market)} and ${where}`
  const { count } = await sql.unsafe(
    `update index_a.${table} set state = jsonb_set(state::jsonb, '{${field}}', '${value}')::text where ${own}`,
  )
  if (count === 1) return
  if (kind !== 'entries') throw new Error(`There is no row of kind ${kind} to change.`)
  await sql.unsafe(`insert into index_a.entity (market, kind, key, state)
    values (${marketNumber(market)}, 'entries', '', '{"paused":true,"sunsetAt":0}')`)
}

/**
 * Makes one row of each kind wrong while clients read: the index repairs it within two walks through all rows. Then loses events, which no
 * refold repairs: a new build is filled beside the serving one and takes over. No request may fail.
 */
export async function healUnderLoad(fixture: Fixture): Promise<ScenarioResult> {
  const { sql } = fixture
  const indexer = await fixture.startIndexer({ SVC_LOG_LEVEL: 'debug' })
  await indexer.waitForLog('serving', isServing('a'))
  const replica = await startReplica(fixture)
  const load = startLoad((count) => replica.url + buildPath(count), requestsPerSecond)
  const healed: string[] = []
  for (const kind of Object.keys(changes) as Kind[]) healed.push(await healKind(fixture, indexer, kind))

  const seen = indexer.lines.length
  const began = Date.now()
  // Without its later events, the task's row is wrong once it is folded again.
  const lost = await sql`delete from index_a.event where market = ${marketNumber(market)} and task = 3
    and block > (select min(block) from index_a.event where market = ${marketNumber(market)} and task = 3)`
  await tamper(sql, 'task')
  const rebuilt = await indexer
    .waitForLog('serving of a_2', (lines) => isServing('a_2')(lines.slice(seen)), 120_000)
    .then(
      () => null,
      (error: Error) => error.message,
    )
  const took = Date.now() - began
  const { outcomes, times } = await load.stop()
  const serving = await getServingBuild(sql)
  const failed = [...outcomes].filter(([outcome]) => outcome !== '200')
  const wrong = await fixture.findIndexFault(`index_${serving}`)
  await indexer.kill('SIGKILL')
  const slowest = Math.round(Math.max(...times))
  return {
    what: 'wrong rows of every kind heal under load, and lost events bring a new build; no request fails',
    figures: `${healed.join(', ')}; ${lost.count} events lost, new build serving after ${took} ms; ${times.length} requests, slowest ${slowest} ms`,
    fault:
      rebuilt ??
      (failed.length > 0 ? `Requests failed: ${JSON.stringify(failed)}` : null) ??
      (serving === 'a_2' ? wrong : `Build ${serving} is served.`),
  }
}

/** Makes a row wrong on a chain that has stopped, so that no event overwrites it, and counts the walks through all rows until it is right. */
async function healKind({ sql, chain }: Fixture, indexer: AppProcess, kind: Kind): Promise<string> {
  const head = chain.pause()
  try {
    await waitForIndexHead(sql, 'index_a', head)
    const seen = indexer.lines.length
    const before = await countRounds(sql)
    await tamper(sql, kind)
    const isHealed = async () => {
      const lines = indexer.lines.slice(seen).filter((line) => line.market === market)
      return lines.some(({ msg }) => msg.startsWith('folded again'))
    }
    const ms = await waitUntil(`the ${kind} is repaired`, 120_000, isHealed)
    const lines = indexer.lines.slice(seen).filter((line) => line.market === market)
    const end = lines.findIndex(({ msg }) => msg.startsWith('folded again'))
    const comparisons = lines.slice(0, end).filter(({ msg }) => msg === 'compared with contract storage').length
    const rounds = (await countRounds(sql)) - before
    if (rounds > maxRounds) throw new Error(`A wrong ${kind} was repaired only after ${rounds} walks through all rows.`)
    return `${kind} after ${comparisons} comparisons and ${rounds} complete walks, ${ms} ms`
  } finally {
    chain.resume()
  }
}

async function countRounds(sql: Sql): Promise<number> {
  const [row] = await sql<
    { walk: string }[]
  >`select walk from index_a.comparison where market = ${marketNumber(market)}`
  return row ? (JSON.parse(row.walk) as Walk).rounds : 0
}

const wallet = '0x00000000000000000000000000000000000000aA'
const paths = [
  '/api/market/open?market=micro',
  '/api/market/recent?market=micro',
  '/api/market/task?id=v2:micro:3',
  `/api/get-market-ledger?market=micro&address=${wallet}`,
  '/api/union/overview?market=micro',
  '/api/leaderboard?market=micro',
  `/api/wallet/inbox?market=micro&address=${wallet}`,
  '/api/market/events?market=micro',
]

/** Every URL is asked again and again, as clients do. */
const buildPath = (count: number): string => paths[count % paths.length] ?? ''
