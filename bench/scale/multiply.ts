import { createBuild, serveBuild } from '@svc/index'
import { quickHash } from '@svc/simulation/chain'
import type { Sql } from 'postgres'
import { type Address, getAddress } from 'viem'

/** How often the seed was copied, and the resulting size. */
export interface Multiplied {
  copies: number
  tasks: number
  events: number
  /** Replaces several wallets of every copy. */
  busiest: Address
  /** Copies that have their events, so that a task there has its full timeline. */
  withEvents: readonly number[]
}

/** Copies per statement: what is sorted must fit in memory. */
const copiesAtOnce = 20
const busyTasks = 10_000

/**
 * Copies the history in `index_seed` until a build has the wanted number of tasks, each copy later and with other tasks and wallets,
 * then serves that build. Where this makes more events than wanted, some copies have none.
 */
export async function multiplyHistory(sql: Sql, wanted: { tasks: number; events: number }): Promise<Multiplied> {
  const build = 'full'
  await createBuild(sql, build)
  await sql.unsafe(
    'set search_path to index_full; set synchronous_commit to off; set work_mem to "256MB"; set jit to off',
  )
  // Unlogged tables are faster, and their size is the same.
  for (const table of ['task', 'event', 'agent', 'arbitrator', 'entity', 'header', 'journal']) {
    await sql`alter table ${sql(table)} set unlogged`
  }
  const [seed] = await sql<{ tasks: number; events: number; wallets: string[] }[]>`
    select (select count(*)::integer from index_seed.task) as tasks, (select count(*)::integer from index_seed.event) as events,
      (select json_agg(key order by key) from index_seed.entity where kind = 'ledger' and market = 0) as wallets`
  if (!seed) throw new Error('The build "seed" is empty.')
  const copies = Math.ceil(wanted.tasks / seed.tasks)
  const share = Math.min(1, wanted.events / (copies * seed.events))
  const withEvents = Array.from({ length: copies }, (_, copy) => copy).filter(
    (copy) => Math.floor((copy + 1) * share) > Math.floor(copy * share),
  )
  const busiest = deriveWallet(-1, 0)
  const postedByOne = (copies * seed.tasks) / 2 / seed.wallets.length
  const busy = Math.min(Math.ceil(busyTasks / postedByOne), Math.floor(seed.wallets.length / 2))

  await sql.unsafe(`
    create temp table copy (copy integer primary key, events boolean);
    create temp table wallet (copy integer, old text, new text, old_bytes bytea, new_bytes bytea, primary key (copy, old));
    create index on wallet (copy, old_bytes)`)
  await sql`insert into copy select n, n = any(${`{${withEvents.join(',')}}`}::integer[]) from generate_series(0, ${copies - 1}) n`
  for (let copy = 0; copy < copies; copy++) {
    const pairs = seed.wallets.map((was, index) => [was, index < busy ? busiest : deriveWallet(copy, index)])
    await sql`insert into wallet select ${copy}, w->>0, w->>1, decode(substr(w->>0, 3), 'hex'), decode(substr(w->>1, 3), 'hex')
      from json_array_elements(${JSON.stringify(pairs)}::text::json) w`
  }
  await sql.unsafe(`analyze wallet; analyze copy; create temp table span as
    select c.market, c.number + 1 as blocks, c."timestamp" - (select min("timestamp") from index_seed.header) + 1 as seconds,
      (select max(key) from index_seed.task t where t.market = c.market) as tasks
    from index_seed.cursor c`)
  for (let first = 0; first < copies; first += copiesAtOnce) {
    const range = `copy.copy between ${first} and ${first + copiesAtOnce - 1}`
    for (const statement of statements(range, copies)) await sql.unsafe(statement)
  }
  await sql.unsafe(finalStatements(copies))
  await sql.unsafe('vacuum (analyze)')
  await serveBuild(sql, build)
  const [made] = await sql<{ tasks: number; events: number }[]>`
    select (select count(*)::integer from task) as tasks, (select count(*)::integer from event) as events`
  return { copies, tasks: made?.tasks ?? 0, events: made?.events ?? 0, busiest, withEvents }
}

function deriveWallet(copy: number, index: number): Address {
  return getAddress(`0x${quickHash(`scale ${copy} ${index}`).slice(-40)}`)
}

const statements = (range: string, copies: number): string[] => [
  // As many can be claimed at the last block as in the history that is copied.
  `insert into task (market, key, poster, worker, state, json, mark, phase_end, early, late, posted)
   select t.market, t.key + copy.copy * tasks, p.new_bytes, w.new_bytes,
     ${renumbered('t.key', other('p', other('w', 't.state')))}, text, substr(sha256(convert_to(text, 'UTF8')), 1, 15),
     phase_end + ${copies - 1} * seconds, early, late, posted
   from copy cross join index_seed.task t join span using (market)
   join wallet p on p.copy = copy.copy and p.old_bytes = t.poster
   left join wallet w on w.copy = copy.copy and w.old_bytes = t.worker
   cross join lateral (select ${renamed('t.key', other('p', other('w', 't.json')))} as text) written
   where ${range} order by copy.copy, t.market, t.key`,
  `insert into event (market, block, log_index, contract, topics, data, task, tx, "timestamp", facts)
   select market, block + copy.copy * blocks, log_index, contract,
     case when task is null then topics else overlay(topics placing int8send(task + copy.copy * tasks) from 57) end, data,
     task + copy.copy * tasks, sha256(tx || int4send(copy.copy)), "timestamp" + copy.copy * seconds, facts
   from copy cross join index_seed.event join span using (market)
   where ${range} and copy.events order by copy.copy, block, market, log_index`,
  `insert into agent (market, key, score, ranked, state)
   select a.market, new_bytes, score, ranked, ${other('wallet', 'state')}
   from copy join wallet using (copy) join index_seed.agent a on a.key = old_bytes
   where ${range} order by copy.copy, a.market, a.key on conflict do nothing`,
  `insert into arbitrator (market, key, bond, state)
   select a.market, new_bytes, bond, ${other('wallet', 'state')}
   from copy join wallet using (copy) join index_seed.arbitrator a on a.key = old_bytes
   where ${range} order by copy.copy, a.market, a.key on conflict do nothing`,
  `insert into entity (market, kind, key, state)
   select e.market, kind, case kind when 'ledger' then one.new when 'pair' then one.new || ':' || two.new
       when 'dispute' then (e.key::bigint + copy.copy * tasks)::text
       else split_part(e.key, ':', 1)::bigint + copy.copy * tasks || ':' || two.new end,
     case kind when 'dispute' then ${renumbered('e.key::bigint', 'state')} else ${other('one', other('two', 'state'))} end
   from copy cross join index_seed.entity e join span using (market)
   left join wallet one on one.copy = copy.copy and one.old = split_part(e.key, ':', 1)
   left join wallet two on two.copy = copy.copy and two.old = split_part(e.key, ':', 2)
   where ${range} and kind not in ('union', 'entries') order by copy.copy, e.market, e.key on conflict do nothing`,
  // As far back as the writer stores them. Of the journal only the newest copy, which is enough to measure it.
  `insert into header select market, number + copy.copy * blocks, sha256(hash || int4send(copy.copy)),
     "timestamp" + copy.copy * seconds, digest, header.events
   from copy cross join index_seed.header join span using (market)
   where ${range} and number + copy.copy * blocks >= ${copies} * blocks - 8000 order by copy.copy, number`,
  `insert into journal select market, block + copy.copy * blocks, kind, key, before
   from copy cross join index_seed.journal join span using (market)
   where ${range} and copy.copy = ${copies - 1} order by block`,
]

/** A state with its wallet replaced, if it has one. */
const other = (wallet: string, state: string) => `coalesce(replace(${state}, ${wallet}.old, ${wallet}.new), ${state})`

const renumbered = (key: string, state: string) =>
  `replace(${state}, '"number":"' || ${key} || 'n"', '"number":"' || ${key} + copy.copy * tasks || 'n"')`

const renamed = (key: string, json: string) =>
  `replace(${json}, ':' || ${key} || '","market":', ':' || ${key} + copy.copy * tasks || '","market":')`

const finalStatements = (copies: number) => `
  insert into entity select * from index_seed.entity where kind = 'union';
  insert into cursor select market, number + ${copies - 1} * blocks, hash, "timestamp" + ${copies - 1} * seconds, digest,
    (select count(*) from event where event.market = seeded.market), number, null
  from index_seed.cursor seeded join span using (market);
  drop schema index_seed cascade`
