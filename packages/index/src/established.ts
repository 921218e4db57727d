import { pauseThreshold } from '@svc/protocol'
import type { MarketEvent } from '@svc/protocol/fold'
import { parseEntity } from '@svc/protocol/internal/fold'
import type { AgentRecord } from '@svc/protocol/records'
import type { Sql } from 'postgres'
import { type Address, isAddressEqual, pad } from 'viem'
import { toBytes } from './cursor.ts'
import { contractNumber, decodeEventRow, type EventRow } from './events.ts'

/** How long a deposit must have stayed: the same money cannot make one wallet after another count within this time. */
const seconds = 86_400

/**
 * Returns whether a wallet counts as known to the market: a deposit above the pause threshold that was there for all of the last
 * 24 hours, or a task that it shares with another wallet or has completed. Chain time decides, so an index that lags is not wrong.
 */
export async function isEstablished(sql: Sql, wallet: Address): Promise<boolean> {
  const key = toBytes(wallet)
  const [tasks, agents, events] = await Promise.all([
    sql`select from market.task where market in (0, 1) and worker is not null and (poster = ${key} or worker = ${key}) limit 1`,
    sql<
      { market: number; state: string }[]
    >`select market, state from market.agent where market in (0, 1) and key = ${key}`,
    // A block takes a second or more, so the primary key bounds what is read.
    sql<(EventRow & { market: number })[]>`
      select e.market, e.block::int as block, log_index as "logIndex", contract, encode(topics, 'hex') as topics,
        encode(data, 'hex') as data, encode(tx, 'hex') as tx, e."timestamp"::int as timestamp, facts
      from market.cursor c join market.event e on e.market = c.market and e.block > c.number - ${seconds}
      where e.contract = ${contractNumber('depositVault')} and e."timestamp" > c."timestamp" - ${seconds}
        and position(${toBytes(pad(wallet))} in e.topics) > 0
      order by e.block desc, log_index desc`,
  ])
  if (tasks.length > 0) return true
  return agents.some(({ market, state }) => {
    const { deposit, completedAsPoster, completedAsWorker } = parseEntity(state) as AgentRecord
    if (completedAsPoster + completedAsWorker > 0) return true
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
