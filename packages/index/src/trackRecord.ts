import { maxRecordTasks, recordTopics, type WalletTrackRecord } from '@svc/chain'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { computeTrackRecord, createAgentRecord, parseEntity } from '@svc/protocol/internal/fold'
import type { AgentRecord } from '@svc/protocol/records'
import type { Fragment, Sql } from 'postgres'
import { type Address, getAbiItem, getAddress, pad, toEventSelector } from 'viem'
import { toBytes } from './cursor.ts'
import { contractNumber, decodeEventRow, type EventRow } from './events.ts'
import { formatLimit, toPgArray } from './sql.ts'

/** Everything that the track record of a wallet needs, as one row. */
export interface TrackRecordRow {
  agent: string | null
  /** The first time that it posted a task, and that it took one. */
  first_post: Sighting | null
  first_taken: Sighting | null
  /** How many tasks of each role were found, one more than are looked at if there are more. */
  posts: string
  takes: string
  events: readonly EventRow[]
}

interface Sighting {
  task: string
  timestamp: number
  block: number
  logIndex: number
}

/**
 * Builds the query of a track record at the cursor `c`: a range scan of an index for each role, then the events of those tasks.
 * A task that the wallet took and lost again has no trace in the table of tasks, so these are found by their events.
 */
export function buildTrackRecordQuery(sql: Sql, wallet: Address): Fragment {
  const key = toBytes(wallet)
  const word = toBytes(pad(wallet))
  const limit = sql.unsafe(formatLimit(maxRecordTasks))
  const most = sql.unsafe(`limit ${maxRecordTasks}`)
  // The selector is part of the text: with a parameter, Postgres could not tell that the partial index applies.
  const taken = (name: 'TaskClaimed' | 'TaskCreated', from: 65 | 97, order: Fragment) => sql`(
    select task, block, log_index, "timestamp" from market.event
    where market = c.market and substring(topics for 32) = ${sql.unsafe(`'\\x${select(name).slice(2)}'`)}
      and substring(topics from ${sql.unsafe(String(from))} for 32) = ${word}
      and contract = ${contractNumber('taskRegistry')} ${order})`
  const allTaken = (order: Fragment) =>
    sql`(${taken('TaskClaimed', 65, order)} union all ${taken('TaskCreated', 97, order)}) every ${order}`
  const newestFirst = sql`order by block desc, log_index desc ${limit}`
  const oldestFirst = sql`order by block, log_index limit 1`
  const sighting = sql`json_build_object('task', task::text, 'timestamp', "timestamp", 'block', block, 'logIndex', log_index)`
  return sql`select
      (select state from market.agent where market = c.market and key = ${key}) as agent,
      (select ${sighting} from market.event where market = c.market and contract = ${contractNumber('taskRegistry')} and task =
        (select key from market.task where market = c.market and poster = ${key} order by key limit 1)
        ${oldestFirst}) as first_post,
      (select ${sighting} from ${allTaken(oldestFirst)}) as first_taken,
      found.posts, found.takes,
      (select coalesce(json_agg(json_build_object('block', block, 'logIndex', log_index, 'contract', contract,
          'topics', encode(topics, 'hex'), 'data', encode(data, 'hex'), 'tx', encode(tx, 'hex'), 'timestamp', "timestamp",
          'facts', facts) order by block, log_index), '[]')
        from market.event where market = c.market and task = any(found.tasks)
          and substring(topics for 32) = any(${topicsOfRecord}::bytea[])) as events
    from (
      with post as materialized (
          select key from market.task where market = c.market and poster = ${key} order by key desc ${limit}),
        take as materialized (select task, block, log_index from ${allTaken(newestFirst)})
      select (select count(*) from post) as posts, (select count(*) from take) as takes,
        array((select key from post order by key desc ${most}) union
          (select task from (select task from take order by block desc, log_index desc ${most}) newest)) as tasks) found`
}

/** Converts the row of a track record. */
export function toTrackRecord([row]: readonly TrackRecordRow[], wallet: Address): WalletTrackRecord {
  if (!row) throw new Error('The statement returned no row.')
  const [first] = [row.first_post, row.first_taken]
    .filter((each) => each !== null)
    .sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
  return {
    agent: row.agent === null ? createAgentRecord(getAddress(wallet)) : (parseEntity(row.agent) as AgentRecord),
    record: computeTrackRecord(getAddress(wallet), row.events.map(decodeEventRow)),
    firstSeen: first ? { task: BigInt(first.task), timestamp: first.timestamp } : null,
    truncated: [row.posts, row.takes].some((count) => Number(count) > maxRecordTasks),
  }
}

const select = (name: 'TaskClaimed' | 'TaskCreated') => toEventSelector(getAbiItem({ abi: taskRegistryAbi, name }))
const topicsOfRecord = toPgArray(recordTopics.map((topic) => `\\x${topic.slice(2)}`))
