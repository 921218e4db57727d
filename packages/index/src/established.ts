import { formatTaskId, pauseThreshold } from '@svc/protocol'
import type { MarketEvent } from '@svc/protocol/fold'
import { type FoldedTask, parseEntity } from '@svc/protocol/internal/fold'
import { liveStates } from '@svc/protocol/internal/tasks'
import type { AgentRecord } from '@svc/protocol/records'
import type { Sql, TransactionSql } from 'postgres'
import { type Address, isAddressEqual, pad } from 'viem'
import { marketNumber, toBytes } from './cursor.ts'
import { contractNumber, decodeEventRow, type EventRow } from './events.ts'

/** How long a deposit must have stayed: the same money cannot make one wallet after another count within this time. */
const seconds = 86_400

/**
 * Returns whether a wallet counts as known to the market: a deposit above the pause threshold that was there for all of the last
 * 24 hours, or a task that it shares with another wallet or has completed. Chain time decides, so an index that lags is not wrong.
 */
export async function isEstablished(sql: Sql | TransactionSql, wallet: Address): Promise<boolean> {
  const key = toBytes(wallet)
  const [tasks, agents] = await Promise.all([
    sql`select from market.task where market in (0, 1) and worker is not null and (poster = ${key} or worker = ${key}) limit 1`,
    sql<
      { market: number; state: string }[]
    >`select market, state from market.agent where market in (0, 1) and key = ${key}`,
  ])
  if (tasks.length > 0) return true
  const records = agents.map(({ market, state }) => ({ market, record: parseEntity(state) as AgentRecord }))
  if (records.some(({ record }) => record.completedAsPoster + record.completedAsWorker > 0)) return true
  // Most wallets that ask have nothing. Only for others is a day of events read.
  const rich = records.filter(({ record }) => record.deposit >= pauseThreshold)
  if (rich.length === 0) return false
  // A block takes a second or more, so the primary key bounds what is read.
  const events = await sql<(EventRow & { market: number })[]>`
    select e.market, e.block::int as block, log_index as "logIndex", contract, encode(topics, 'hex') as topics,
      encode(data, 'hex') as data, encode(tx, 'hex') as tx, e."timestamp"::int as timestamp, facts
    from market.cursor c join market.event e on e.market = c.market and e.block > c.number - ${seconds}
    where e.contract = ${contractNumber('depositVault')} and e."timestamp" > c."timestamp" - ${seconds}
      and position(${toBytes(pad(wallet))} in e.topics) > 0
    order by e.block desc, log_index desc`
  return rich.some(({ market, record: { deposit } }) => {
    let [before, lowest] = [deposit, deposit]
    for (const row of events.filter((each) => each.market === market)) {
      before -= computeChange(decodeEventRow(row), wallet)
      if (before < lowest) lowest = before
    }
    return lowest >= pauseThreshold
  })
}

/** What an event adds to the deposit of a wallet. */
function computeChange(event: MarketEvent, wallet: Address): bigint {
  const is = (other: Address) => isAddressEqual(other, wallet)
  switch (event.kind) {
    case 'depositVault.ToppedUp':
      return is(event.args.agent) ? event.args.amount : 0n
    case 'depositVault.Withdrawn':
      return is(event.args.agent) ? -event.args.amount : 0n
    case 'depositVault.Penalised':
      return (is(event.args.to) ? event.args.amount : 0n) - (is(event.args.agent) ? event.args.amount : 0n)
    default:
      return 0n
  }
}

/** How long an answer is used again, and how far an index may be behind the clock. */
const [knownMs, unknownMs, maxCached, maxLag] = [600_000, 15_000, 10_000, 3_600]

/**
 * Creates the check for services that store something: null if the index cannot be read or is far behind, so that nobody loses
 * anything because of it. Answers are kept for a while. `run` runs statements.
 */
export function createEstablishedCheck(
  run: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>,
  now: () => number = Date.now,
): (wallet: Address) => Promise<boolean | null> {
  const cache = new Map<Address, { until: number; is: boolean }>()
  const read = async (sql: Sql, wallet: Address): Promise<boolean | null> => {
    const [oldest] = await sql<{ timestamp: string | null }[]>`select min("timestamp") as timestamp from market.cursor`
    if (Number(oldest?.timestamp ?? 0) < now() / 1_000 - maxLag) return null
    return isEstablished(sql, wallet)
  }
  return async (wallet) => {
    const known = cache.get(wallet)
    if (known && known.until > now()) return known.is
    const is = await run((sql) => read(sql, wallet)).catch(() => null)
    if (is === null) return null
    if (cache.size >= maxCached) cache.clear()
    cache.set(wallet, { until: now() + (is ? knownMs : unknownMs), is })
    return is
  }
}

/** The most tasks of a wallet that are looked at. */
const maxTasks = 5_000

/** Lists the tasks of a wallet, as poster or worker, that can still change. */
export async function listRunningTasks(sql: Sql, wallet: Address): Promise<string[]> {
  const key = toBytes(wallet)
  const rows = await sql<{ market: number; state: string }[]>`
    select market, state from market.task where market in (0, 1) and (poster = ${key} or worker = ${key})
    order by key desc limit ${maxTasks}`
  return rows.flatMap(({ market, state }) => {
    const task = parseEntity(state) as FoldedTask
    const isLive = liveStates.some((each) => each === task.state)
    return isLive
      ? [formatTaskId({ market: market === marketNumber('standard') ? 'standard' : 'micro', number: task.number })]
      : []
  })
}
