import type { At, BlockRef, EventEntry, MarketReader, PageQuery, TaskDetail, TaskPage } from '@svc/chain'
import type { Market } from '@svc/protocol'
import { taskScopeRegistryAbi } from '@svc/protocol/abis'
import {
  type AgentRecord,
  type ArbitratorRecord,
  type DisputeRecord,
  type FoldedTask,
  newAgent,
  newUnion,
  termsOf,
  type UnionRecord,
  unpackEntity,
} from '@svc/protocol/fold'
import { emptyLedger, type Ledger } from '@svc/protocol/records'
import type { Fragment, Sql } from 'postgres'
import { decodeAbiParameters, encodeEventTopics, getAddress } from 'viem'
import { marketNumber, toBytes, toHex } from './cursor.ts'
import { contractNumber, type EventRow, eventOf } from './events.ts'
import { limitFor } from './limitFor.ts'
import { list } from './list.ts'
import { publicTask, unionOverviewOf } from './shown.ts'
import { createTextLists } from './textLists.ts'
import { IndexUnavailableError } from './unavailable.ts'

/** Beyond this a task's timeline is cut: no honest one comes near it. */
const maxTimeline = 1_000

/**
 * For connections that read: one plan fits all values of every statement here. Left to itself the server guesses from what
 * they seem to cost, and some it plans anew every time, which can take as long as the reading.
 */
export const readingSettings = { plan_cache_mode: 'force_generic_plan' } as const

/** What the index does not keep: prices come from the chain. */
export type Unindexed = Pick<MarketReader, 'getPlanQuote'>

/** Reads the markets from the build that serves. Each answer is one statement, so it is true at one block. */
export function createIndexReader(sql: Sql, unindexed: Unindexed): MarketReader {
  /** Rows of a query beside the cursor, in one statement; throws where a market has no index. */
  async function at<T>(market: Market, rows: Fragment): Promise<{ block: BlockRef; rows: T[] }> {
    const found = await sql<(CursorRow & T)[]>`
      select c.number, c.hash, c."timestamp", c.halted, r.*
      from market.cursor c left join lateral (${rows}) r on true where c.market = ${marketNumber(market)}`
    const [cursor] = found
    if (!cursor || cursor.halted) throw new IndexUnavailableError(market, cursor?.halted ?? 'it has no block yet')
    const block = { number: BigInt(cursor.number), hash: toHex(cursor.hash), timestamp: Number(cursor.timestamp) }
    return { block, rows: found }
  }

  /** The entities that a query of `state` finds. Beside a cursor alone stands a null. */
  async function entities<T>(market: Market, rows: Fragment): Promise<{ block: BlockRef; found: T[] }> {
    const { block, rows: all } = await at<{ state: string | null }>(market, rows)
    return { block, found: all.flatMap(({ state }) => (state === null ? [] : [unpackEntity(state) as T])) }
  }

  const atMost = (rows: number) => sql.unsafe(limitFor(rows))

  /** A range scan of one of the indexes of `task`, newest first. */
  async function page(market: Market, { limit, before }: PageQuery, where: Fragment): Promise<At<TaskPage>> {
    const below = before === undefined ? sql`` : sql`and key < ${String(before)}`
    const { block, found } = await entities<FoldedTask>(
      market,
      sql`select state from market.task where market = c.market ${where} ${below} order by key desc ${atMost(limit)}`,
    )
    const tasks = found.slice(0, limit).map(publicTask)
    return { tasks, next: found.length > limit ? (tasks.at(-1)?.number ?? null) : null, block }
  }

  const one = async <T>(market: Market, kind: string, key: string) => {
    const { block, found } = await entities<T>(
      market,
      sql`select state from market.entity where market = c.market and kind = ${kind} and key = ${key}`,
    )
    return { block, found: found[0] ?? null }
  }

  return {
    async head() {
      const [row] = await sql<CursorRow[]>`
        select number, hash, "timestamp", halted from market.cursor order by number limit 1`
      if (!row) throw new IndexUnavailableError('standard', 'it has no block yet')
      return { number: BigInt(row.number), hash: toHex(row.hash), timestamp: Number(row.timestamp) }
    },
    listOpen: (market, query) => page(market, query, sql`and posted`),
    listRecent: (market, query) => page(market, query, sql``),
    listByPoster: (market, poster, query) => page(market, query, sql`and poster = ${toBytes(poster)}`),
    listByWorker: (market, worker, query) => page(market, query, sql`and worker = ${toBytes(worker)}`),

    listAsText: createTextLists(sql),

    async getTask(market, number) {
      if (number > maxBigint) return { detail: null, block: (await at(market, sql`select`)).block }
      const { block, rows } = await at<TaskRows>(
        market,
        sql`select
          (select state from market.task where market = c.market and key = ${String(number)}) as task,
          (select state from market.entity where market = c.market and kind = 'dispute' and key = ${String(number)}) as dispute,
          (select coalesce(json_agg(json_build_object('block', block, 'logIndex', log_index, 'contract', contract,
              'topics', encode(topics, 'hex'), 'data', encode(data, 'hex'), 'tx', encode(tx, 'hex'), 'timestamp', "timestamp", 'facts', facts)
              order by block, log_index), '[]')
            from (select * from market.event where market = c.market and task = ${String(number)}
              order by block, log_index ${atMost(maxTimeline)}) e) as events`,
      )
      const [found] = rows
      return { detail: found?.task ? detailOf(found, found.task) : null, block }
    },

    async getTexts(market, numbers) {
      const known = numbers.filter((number) => number <= maxBigint).map(String)
      const { block, rows } = await at<{ task: string | null; data: string }>(
        market,
        sql`select task, encode(data, 'hex') as data from market.event where market = c.market
          and task = any(${list(known)}::bigint[]) and contract = ${contractNumber('taskScopeRegistry')}
          and substring(topics for 32) = ${toBytes(textTopic)}`,
      )
      const found = rows.flatMap(({ task, data }) => (task === null ? [] : [[BigInt(task), textOf(data)] as const]))
      return { texts: new Map(found), block }
    },

    async listEvents(market, { limit, after }) {
      const columns = sql`block, log_index, contract, encode(topics, 'hex') as topics, encode(data, 'hex') as data,
        encode(tx, 'hex') as tx, "timestamp" as time, task,
        (select encode(h.hash, 'hex') from market.header h where h.market = c.market and h.number = block) as block_hash`
      const { block, rows } = await at<EventListRow | NoRow>(
        market,
        after
          ? sql`select ${columns} from market.event where market = c.market
              and (block, log_index) > (${String(after.block)}, ${after.logIndex}) order by block, log_index ${atMost(limit)}`
          : sql`select ${columns} from market.event where market = c.market order by block desc, log_index desc ${atMost(limit)}`,
      )
      const events = rows.slice(0, limit).flatMap((row) => (row.block === null ? [] : [entryOf(row)]))
      if (!after) events.reverse()
      const end = events.at(-1)
      return { events, next: end ? { block: end.blockNumber, logIndex: end.logIndex } : (after ?? null), block }
    },

    async getLedger(market, wallet) {
      const { block, found } = await one<Ledger>(market, 'ledger', getAddress(wallet))
      return { ledger: found ?? emptyLedger(), block }
    },

    async getUnion(market) {
      const { block, found } = await one<UnionRecord>(market, 'union', '')
      return { union: unionOverviewOf(found ?? newUnion(), block.timestamp), block }
    },

    async getAgent(market, wallet) {
      const { block, found } = await entities<AgentRecord>(
        market,
        sql`select state from market.agent where market = c.market and key = ${toBytes(wallet)}`,
      )
      return { agent: found[0] ?? newAgent(getAddress(wallet)), block }
    },

    async listAgents(market, limit) {
      const { block, found } = await entities<AgentRecord>(
        market,
        sql`select state from market.agent where market = c.market and ranked order by score desc, key ${atMost(limit)}`,
      )
      return { agents: found.slice(0, limit), block }
    },

    async listArbitrators(market, limit) {
      const { block, found } = await entities<ArbitratorRecord>(
        market,
        sql`select state from market.arbitrator where market = c.market order by bond desc, key ${atMost(limit)}`,
      )
      return { arbitrators: found.slice(0, limit), block }
    },

    // Not spread: a reader of the chain has every other method too, and would answer in the place of the index.
    getPlanQuote: unindexed.getPlanQuote,
  }
}

interface CursorRow {
  number: string
  hash: Buffer
  timestamp: string
  halted: string | null
}

interface TaskRows {
  task: string | null
  dispute: string | null
  events: readonly EventRow[]
}

/** An event beside the cursor. */
interface EventListRow {
  block: string
  log_index: number
  contract: number
  topics: string
  data: string
  tx: string
  time: string
  task: string | null
  block_hash: string | null
}

/** What stands beside the cursor when nothing was found. */
type NoRow = { block: null }

function entryOf({ block, log_index: logIndex, time, task, block_hash: hash, ...row }: EventListRow): EventEntry {
  const timestamp = Number(time)
  const { name, contract, args } = eventOf({ ...row, block: Number(block), logIndex, timestamp, facts: null })
  return {
    name,
    contract,
    blockNumber: BigInt(block),
    logIndex,
    transactionHash: `0x${row.tx}`,
    timestamp,
    task: task === null ? null : BigInt(task),
    args,
    blockHash: hash === null ? null : `0x${hash}`,
  }
}

const maxBigint = 2n ** 63n - 1n

const [textTopic] = encodeEventTopics({ abi: taskScopeRegistryAbi, eventName: 'TaskTextPublished' })
const textOf = (data: string): string => decodeAbiParameters([{ type: 'string' }], `0x${data}`)[0]

function detailOf({ dispute, events }: TaskRows, state: string): TaskDetail {
  const task = unpackEntity(state) as FoldedTask
  const decoded = events.map(eventOf)
  const text = decoded.find(({ name }) => name === 'TaskTextPublished')
  return {
    task: publicTask(task),
    terms: termsOf(task),
    text: (text?.args as { text?: string } | undefined)?.text ?? null,
    dispute: dispute ? (unpackEntity(dispute) as DisputeRecord) : null,
    timeline: decoded.map(({ name, contract, block, logIndex }, index) => ({
      name,
      contract,
      blockNumber: BigInt(block.number),
      logIndex,
      timestamp: block.timestamp,
      transactionHash: `0x${events[index]?.tx}`,
    })),
  }
}
