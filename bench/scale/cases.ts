import type { IndexReader } from '@svc/index'
import type { Sql } from 'postgres'
import { type Address, getAddress } from 'viem'

/** What the reads ask for in one build. There are several of each, so that no run reads what the previous one read. */
export interface Targets {
  busiest: Address
  posters: readonly Address[]
  workers: readonly Address[]
  /** Tasks that have their events. */
  tasks: readonly bigint[]
  /** Where the last full page of open tasks starts, and a page in the middle of all tasks. */
  deepOpen: bigint
  middle: bigint
  /** A block in the middle of all events. */
  middleBlock: bigint
}

const limit = 100
const market = 'standard'

/** The reads of every surface, by name. */
export const cases: Record<string, (reader: IndexReader, targets: Targets, turn: number) => Promise<unknown>> = {
  'open list, first page': (reader) => reader.listAsText(market, { of: 'open' }, { limit }),
  'open list, deep page': (reader, { deepOpen }) =>
    reader.listAsText(market, { of: 'open' }, { limit, before: deepOpen }),
  'recent list, first page': (reader) => reader.listAsText(market, { of: 'recent' }, { limit }),
  'recent list, deep page': (reader, { middle }, turn) =>
    reader.listAsText(market, { of: 'recent' }, { limit, before: middle - BigInt(turn) }),
  'poster list': (reader, { posters }, turn) =>
    reader.listAsText(market, { of: 'poster', wallet: any(posters, turn) }, { limit }),
  'poster list, busiest wallet': (reader, { busiest }) =>
    reader.listAsText(market, { of: 'poster', wallet: busiest }, { limit }),
  'poster list, busiest wallet, deep page': (reader, { busiest, middle }, turn) =>
    reader.listAsText(market, { of: 'poster', wallet: busiest }, { limit, before: middle - BigInt(turn) }),
  'worker list': (reader, { workers }, turn) =>
    reader.listAsText(market, { of: 'worker', wallet: any(workers, turn) }, { limit }),
  'worker list, busiest wallet': (reader, { busiest }) =>
    reader.listAsText(market, { of: 'worker', wallet: busiest }, { limit }),
  'ledger, busiest wallet': (reader, { busiest }) => reader.getLedger(market, busiest),
  'inbox, busiest wallet': (reader, { busiest }) => reader.listInbox(market, busiest, true),
  'one task and its timeline': (reader, { tasks }, turn) => reader.getTask(market, any(tasks, turn)),
  'events, newest': (reader) => reader.listEvents(market, { limit }),
  'events, from the middle on': (reader, { middleBlock }, turn) =>
    reader.listEvents(market, { limit, after: { block: middleBlock + BigInt(turn), logIndex: 0 } }),
  leaderboard: (reader) => reader.listAgents(market, limit),
  arbitrators: (reader) => reader.listArbitrators(market, limit),
  'one wallet': (reader, { posters }, turn) => reader.getAgent(market, any(posters, turn)),
  'many wallets': (reader, { posters }) => reader.getAgents(market, posters.slice(0, 50)),
  'the Union': (reader) => reader.getUnion(market),
  head: (reader) => reader.head(),
}

/** Finds targets in a build: the same tasks of the seed in every build, so that builds can be compared. */
export async function findTargets(sql: Sql, busiest: Address): Promise<Targets> {
  const size = 64
  const wallets = async (column: 'poster' | 'worker') => {
    const rows = await sql<{ wallet: string }[]>`
      select wallet from (select distinct encode(${sql(column)}, 'hex') as wallet from market.task where market = 0
        and ${sql(column)} is not null and ${sql(column)} <> decode(${busiest.slice(2)}, 'hex')) all_of_them
      order by md5(wallet) limit ${size}`
    return rows.map(({ wallet }) => getAddress(`0x${wallet}`))
  }
  const tasks = await sql<{ task: string }[]>`
    select task from (select task, count(*) as events from market.event where market = 0 and task is not null
      group by task) each where events between 20 and 24 order by md5(task::text) limit ${size}`
  const [open] = await sql<{ key: string }[]>`
    select key from market.task where market = 0 and posted order by key offset ${limit} limit 1`
  const [middle] = await sql<{ key: string; block: string }[]>`
    select (select max(key) / 2 from market.task where market = 0) as key,
      (select max(block) / 2 from market.event where market = 0) as block`
  return {
    busiest,
    posters: await wallets('poster'),
    workers: await wallets('worker'),
    tasks: tasks.map(({ task }) => BigInt(task)),
    deepOpen: BigInt(open?.key ?? 0),
    middle: BigInt(middle?.key ?? 0),
    middleBlock: BigInt(middle?.block ?? 0),
  }
}

function any<T>(list: readonly T[], turn: number): T {
  const found = list[turn % list.length]
  if (found === undefined) throw new Error('The build is too small: it has no target for this read.')
  return found
}
