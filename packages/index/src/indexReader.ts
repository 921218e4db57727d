import type { At, BlockRef, EventEntry, MarketReader, PageQuery, TaskDetail, TaskList, TaskPage } from '@svc/chain'
import type { Market } from '@svc/protocol'
import { taskScopeRegistryAbi } from '@svc/protocol/abis'
import {
  createAgentRecord,
  createEntriesRecord,
  createUnionRecord,
  extractTaskTerms,
  type FoldedTask,
  parseEntity,
} from '@svc/protocol/internal/fold'
import { createLedger, type Ledger } from '@svc/protocol/internal/money'
import type { EntriesRecord, UnionRecord } from '@svc/protocol/internal/records'
import type { AgentRecord, ArbitratorRecord, DisputeRecord } from '@svc/protocol/records'
import type { Fragment, Sql } from 'postgres'
import { type Address, decodeAbiParameters, encodeEventTopics, getAddress } from 'viem'
import { marketNumber, toBytes, toHex } from './cursor.ts'
import { contractNumber, decodeEventRow, type EventRow } from './events.ts'
import { buildInboxQuery, type InboxRow, toInboxFacts } from './inbox.ts'
import { isClaimable } from './phases.ts'
import { computeUnionOverview, toTaskSnapshot } from './publicRecords.ts'
import { createSearch } from './searchReader.ts'
import { formatLimit, toPgArray } from './sql.ts'
import { formatRowKey } from './tables.ts'
import { createTextLists, rowsOfLists } from './textLists.ts'
import { buildTrackRecordQuery, type TrackRecordRow, toTrackRecord } from './trackRecord.ts'
import { assertMissing, assertUsable, IndexUnavailableError, type Usability } from './unavailable.ts'

/** A longer timeline is cut. No regular task comes near this length. */
const maxTimeline = 1_000

/**
 * Settings for connections that read. One plan fits all parameter values of every statement here. By default the server plans
 * some statements again for each execution, which can take as long as running them. It also compiles statements that look
 * expensive, which takes a tenth of a second each time; these statements are bounded, and take a few milliseconds.
 */
export const readConnectionSettings = { plan_cache_mode: 'force_generic_plan', jit: 'off' } as const

/** Reads that the index cannot answer: prices come from the chain. */
export type ChainOnlyReads = Pick<MarketReader, 'getPlanQuote' | 'getTokPrice'>

/** A reader that also searches, and has its lists as text. */
export type IndexReader = Required<MarketReader>

/**
 * Creates a reader of the build that serves. Each read is one SQL statement, so its result belongs to one block; a list as
 * text also reads texts that it knows by their content.
 */
export function createIndexReader(sql: Sql, unindexed: ChainOnlyReads): IndexReader {
  /**
   * Runs a query and reads the cursor in the same statement. Throws `IndexUnavailableError` if the market has no index, or if a
   * row that the query uses differs from the chain.
   */
  async function at<T>(
    market: Market,
    used: readonly string[],
    rows: Fragment,
  ): Promise<{ block: BlockRef; cursor: Usability; rows: T[] }> {
    const found = await sql<(CursorRow & T)[]>`
      select c.number, c.hash, c."timestamp", c.halted, c.suspects, r.*
      from market.cursor c left join lateral (${rows}) r on true where c.market = ${marketNumber(market)}`
    const [cursor] = found
    assertUsable(market, cursor, used)
    const block = { number: BigInt(cursor.number), hash: toHex(cursor.hash), timestamp: Number(cursor.timestamp) }
    return { block, cursor, rows: found }
  }

  /**
   * Returns the entities that a query of `state` finds. Without any, the join returns the cursor with a null. Throws
   * `IndexUnavailableError` if there are fewer than `wanted` and rows of the market differ from the chain.
   */
  async function entities<T>(
    market: Market,
    used: readonly string[],
    rows: Fragment,
    wanted = 0,
  ): Promise<{ block: BlockRef; found: T[] }> {
    const { block, cursor, rows: all } = await at<{ state: string | null }>(market, used, rows)
    const found = all.flatMap(({ state }) => (state === null ? [] : [parseEntity(state) as T]))
    if (found.length < wanted) assertMissing(market, cursor)
    return { block, found }
  }

  const atMost = (rows: number) => sql.unsafe(formatLimit(rows))

  const claimable = sql.unsafe(isClaimable)
  const claimableUntil = sql`case when ${claimable} then t.phase_end end`

  /** Reads a page of tasks with a range scan of an index of `task`, newest first. */
  async function page(market: Market, query: PageQuery, where: Fragment): Promise<At<TaskPage>> {
    const { rows: _, ...page } = await readPage(market, query, where, sql``)
    return page
  }

  async function readPage(
    market: Market,
    { limit, before }: PageQuery,
    where: Fragment,
    columns: Fragment,
  ): Promise<At<TaskPage & { rows: readonly TaskRow[] }>> {
    const below = before === undefined ? sql`` : sql`and t.key < ${String(before)}`
    const { block, rows } = await at<TaskRow | { state: null }>(
      market,
      rowsOfLists,
      sql`select t.state, ${claimableUntil} as until ${columns}
        from market.task t where t.market = c.market ${where} ${below} order by t.key desc ${atMost(limit)}`,
    )
    const found = rows.flatMap((row) => (row.state === null ? [] : [row]))
    const shown = found.slice(0, limit)
    const tasks = shown.map(({ state, until }) => toTaskSnapshot(parseEntity(state) as FoldedTask, until))
    return { tasks, rows: shown, next: found.length > limit ? (tasks.at(-1)?.number ?? null) : null, block }
  }

  /** The condition of each list, over a row `t` of `task`. */
  function selectList(list: TaskList): Fragment {
    switch (list.of) {
      case 'open':
        return sql`and ${claimable}`
      case 'recent':
        return sql``
      case 'poster':
        return sql`and t.poster = ${toBytes(list.wallet)}`
      case 'worker':
        return sql`and t.worker = ${toBytes(list.wallet)}`
    }
  }

  const one = async <T>(market: Market, kind: string, key: string) => {
    const { block, found } = await entities<T>(
      market,
      [formatRowKey(kind, key)],
      sql`select state from market.entity where market = c.market and kind = ${kind} and key = ${key}`,
      1,
    )
    return { block, found: found[0] ?? null }
  }

  const reader: IndexReader = {
    async head() {
      const [row] = await sql<Omit<CursorRow, keyof Usability>[]>`
        select number, hash, "timestamp" from market.cursor order by number limit 1`
      if (!row) throw new IndexUnavailableError('standard', 'it has no blocks yet')
      return { number: BigInt(row.number), hash: toHex(row.hash), timestamp: Number(row.timestamp) }
    },
    listOpen: (market, query) => page(market, query, selectList({ of: 'open' })),
    listRecent: (market, query) => page(market, query, selectList({ of: 'recent' })),
    listByPoster: (market, wallet, query) => page(market, query, selectList({ of: 'poster', wallet })),
    listByWorker: (market, wallet, query) => page(market, query, selectList({ of: 'worker', wallet })),

    async listWithTexts(market, list, query) {
      const data = sql`, (select encode(e.data, 'hex') from market.event e where e.market = t.market and e.task = t.key
        and e.contract = ${contractNumber('taskScopeRegistry')} and substring(e.topics for 32) = ${toBytes(textTopic)}
        limit 1) as data`
      const { rows, ...page } = await readPage(market, query, selectList(list), data)
      const texts = page.tasks.flatMap(({ number, scope }, index) => {
        const data = rows[index]?.data
        return data && scope === 'OPEN' ? [[number, decodePublishedText(data)] as const] : []
      })
      return { ...page, texts: new Map(texts) }
    },

    listAsText: createTextLists(sql),
    search: createSearch(sql),

    async getTask(market, number) {
      if (number > maxBigint) return { detail: null, block: (await at(market, [], sql`select`)).block }
      const { block, cursor, rows } = await at<TaskRows>(
        market,
        // Whether it can be claimed depends on the market's entries.
        [`task:${number}`, `dispute:${number}`, 'entries'],
        sql`select
          (select state from market.task where market = c.market and key = ${String(number)}) as task,
          (select ${claimableUntil} from market.task t where t.market = c.market and t.key = ${String(number)}) as until,
          (select state from market.entity where market = c.market and kind = 'dispute' and key = ${String(number)}) as dispute,
          (select coalesce(json_agg(json_build_object('block', block, 'logIndex', log_index, 'contract', contract,
              'topics', encode(topics, 'hex'), 'data', encode(data, 'hex'), 'tx', encode(tx, 'hex'), 'timestamp', "timestamp", 'facts', facts)
              order by block, log_index), '[]')
            from (select * from market.event where market = c.market and task = ${String(number)}
              order by block, log_index ${atMost(maxTimeline)}) e) as events`,
      )
      const [found] = rows
      if (!found?.task) assertMissing(market, cursor)
      return { detail: found?.task ? toTaskDetail(found, found.task) : null, block }
    },

    // Without its events, the terms and the text would have to be read elsewhere.
    getTaskSummary: (market, number) => reader.getTask(market, number),

    async listInbox(market, wallet, isCourt) {
      const { block, rows } = await at<InboxRow>(market, rowsOfInbox, buildInboxQuery(sql, wallet, isCourt, textTopic))
      return { ...toInboxFacts(rows, wallet, decodePublishedText), block }
    },

    async getTexts(market, numbers) {
      const known = numbers.filter((number) => number <= maxBigint).map(String)
      const { block, rows } = await at<{ task: string | null; state: string | null; data: string }>(
        market,
        ['task'],
        sql`select task, encode(data, 'hex') as data,
          (select t.state from market.task t where t.market = c.market and t.key = task) as state
          from market.event where market = c.market
          and task = any(${toPgArray(known)}::bigint[]) and contract = ${contractNumber('taskScopeRegistry')}
          and substring(topics for 32) = ${toBytes(textTopic)}`,
      )
      const found = rows.flatMap(({ task, state, data }) =>
        task === null || !isOpenTask(state) ? [] : [[BigInt(task), decodePublishedText(data)] as const],
      )
      return { texts: new Map(found), block }
    },

    async listEvents(market, { limit, after }) {
      const columns = sql`block, log_index, contract, encode(topics, 'hex') as topics, encode(data, 'hex') as data,
        encode(tx, 'hex') as tx, "timestamp" as time, task,
        (select encode(h.hash, 'hex') from market.header h where h.market = c.market and h.number = block) as block_hash`
      const { block, rows } = await at<EventListRow | NoRow>(
        market,
        [],
        after
          ? sql`select ${columns} from market.event where market = c.market
              and (block, log_index) > (${String(after.block)}, ${after.logIndex}) order by block, log_index ${atMost(limit)}`
          : sql`select ${columns} from market.event where market = c.market order by block desc, log_index desc ${atMost(limit)}`,
      )
      const events = rows.slice(0, limit).flatMap((row) => (row.block === null ? [] : [toEventEntry(row)]))
      if (!after) events.reverse()
      const end = events.at(-1)
      return { events, next: end ? { block: end.blockNumber, logIndex: end.logIndex } : (after ?? null), block }
    },

    async getLedger(market, wallet) {
      const { block, found } = await one<Ledger>(market, 'ledger', getAddress(wallet))
      return { ledger: found ?? createLedger(), block }
    },

    async getTrackRecord(market, wallet) {
      const query = buildTrackRecordQuery(sql, wallet)
      const { block, cursor, rows } = await at<TrackRecordRow>(market, rowsOfRecord(wallet), query)
      if (!rows[0]?.agent) assertMissing(market, cursor)
      return { ...toTrackRecord(rows, wallet), block }
    },

    async getEntries(market) {
      const { block, found } = await one<EntriesRecord>(market, 'entries', '')
      return { entries: found ?? createEntriesRecord(), block }
    },

    async getUnion(market) {
      const { block, found } = await one<UnionRecord>(market, 'union', '')
      return { union: computeUnionOverview(found ?? createUnionRecord(), block.timestamp), block }
    },

    async getAgent(market, wallet) {
      const { block, found } = await entities<AgentRecord>(
        market,
        [`agent:${getAddress(wallet)}`],
        sql`select state from market.agent where market = c.market and key = ${toBytes(wallet)}`,
        1,
      )
      return { agent: found[0] ?? createAgentRecord(getAddress(wallet)), block }
    },

    async getAgents(market, wallets) {
      const keys = wallets.map((wallet) => `\\x${wallet.slice(2).toLowerCase()}`)
      const { block, found } = await entities<AgentRecord>(
        market,
        wallets.map((wallet) => `agent:${getAddress(wallet)}`),
        sql`select state from market.agent where market = c.market and key = any(${toPgArray(keys)}::bytea[])`,
        new Set(keys).size,
      )
      const known = new Map(found.map((agent) => [agent.address, agent]))
      const agents = wallets.map((wallet) => known.get(getAddress(wallet)) ?? createAgentRecord(getAddress(wallet)))
      return { agents, block }
    },

    async listAgents(market, limit) {
      const { block, found } = await entities<AgentRecord>(
        market,
        ['agent'],
        sql`select state from market.agent where market = c.market and ranked order by score desc, key ${atMost(limit)}`,
      )
      return { agents: found.slice(0, limit), block }
    },

    async listArbitrators(market, limit) {
      const { block, found } = await entities<ArbitratorRecord>(
        market,
        ['arbitrator'],
        sql`select state from market.arbitrator where market = c.market order by bond desc, key ${atMost(limit)}`,
      )
      return { arbitrators: found.slice(0, limit), block }
    },

    // Not spread: a chain reader has every other method too, and would replace those of the index.
    getPlanQuote: unindexed.getPlanQuote,
    getTokPrice: unindexed.getTokPrice,
  }
  return reader
}

interface CursorRow extends Usability {
  number: string
  hash: Buffer
  timestamp: string
}

/** The kinds of rows that an inbox uses. */
const rowsOfInbox = ['task', 'dispute', 'arbitrator'] as const

/** The rows that a track record uses. Its events are compared as part of the tasks that they lead to. */
const rowsOfRecord = (wallet: Address) => [`agent:${getAddress(wallet)}`, 'task', 'dispute']

/** A task, and until when it can be claimed; null if it cannot. */
interface TaskRow {
  state: string
  until: string | null
  /** The event that published the text, if it was asked for and there is one. */
  data?: string | null
}

interface TaskRows {
  task: string | null
  until: string | null
  dispute: string | null
  events: readonly EventRow[]
}

/** An event joined with the cursor. */
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

/** The row of the join if no event was found. */
type NoRow = { block: null }

function toEventEntry({ block, log_index: logIndex, time, task, block_hash: hash, ...row }: EventListRow): EventEntry {
  const timestamp = Number(time)
  const { name, contract, args } = decodeEventRow({ ...row, block: Number(block), logIndex, timestamp, facts: null })
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
const decodePublishedText = (data: string): string => decodeAbiParameters([{ type: 'string' }], `0x${data}`)[0]

/** Contracts let only open tasks publish a text. The text of any other is never shown. */
const isOpenTask = (state: string | null) => state !== null && (parseEntity(state) as FoldedTask).scope === 'OPEN'

function toTaskDetail({ until, dispute, events }: TaskRows, state: string): TaskDetail {
  const task = parseEntity(state) as FoldedTask
  const decoded = events.map(decodeEventRow)
  const text = decoded.find(({ name }) => name === 'TaskTextPublished')
  return {
    task: toTaskSnapshot(task, until),
    terms: extractTaskTerms(task),
    text: (isOpenTask(state) && (text?.args as { text?: string } | undefined)?.text) || null,
    dispute: dispute ? (parseEntity(dispute) as DisputeRecord) : null,
    timeline: decoded.map(({ name, contract, args, block, logIndex }, index) => ({
      name,
      contract,
      args,
      blockNumber: BigInt(block.number),
      logIndex,
      timestamp: block.timestamp,
      transactionHash: `0x${events[index]?.tx}`,
    })),
  }
}
