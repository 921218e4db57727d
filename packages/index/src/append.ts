import type { RawLog } from '@svc/chain'
import { type ContractName, decodeLog, type Entity, type MarketEvent, packEntity } from '@svc/protocol/fold'
import type { Sql, TransactionSql } from 'postgres'
import type { Hex } from 'viem'
import { know, type RowCache, trim } from './cache.ts'
import { type Cursor, digestAfter, toBytes } from './cursor.ts'
import { contractNumber } from './events.ts'
import { foldBlocks, type JournalEntry } from './foldBlocks.ts'
import { type Row, type RowKey, splitKey } from './kinds.ts'
import { list } from './list.ts'
import { ledToBy, namedBy } from './needs.ts'
import { saveRows } from './rows.ts'

/** A block as the index keeps it. */
export interface BlockHeader {
  number: bigint
  hash: Hex
  timestamp: number
}

/** Blocks that follow the cursor, with all logs of the market's contracts in them. */
export interface Batch {
  headers: readonly BlockHeader[]
  logs: readonly RawLog[]
  finalized: bigint
  /** The contract that stands at an address, in lower case. */
  contractAt: ReadonlyMap<string, ContractName>
}

/** Headers are kept at least so far back, and down to the finalized block. */
const minHeaders = 8_000n

/**
 * Writes a batch as one step: headers, events, folded rows, journal, cursor and a NOTIFY, all or nothing. Refuses when the
 * cursor is not where the writer thinks it is: somebody else writes.
 */
export async function append(
  sql: Sql,
  market: number,
  cursor: Cursor,
  { headers, logs, finalized, contractAt }: Batch,
  cache: RowCache,
): Promise<Cursor> {
  const last = headers.at(-1)
  if (!last) return cursor
  const firstNumber = headers[0]?.number ?? 0n
  const events = logs.map((log) => decode(log, contractAt, headers[Number(log.blockNumber - firstNumber)]))
  const keepFrom = min(finalized, last.number - minHeaders)
  try {
    const named = namedBy(events)
    await know(sql, market, cache, named)
    await know(sql, market, cache, ledToBy([...named].map((key) => [key, cache.get(key) ?? null] as const)))
    const folded = foldBlocks(cache, events, keepFrom)
    const { rows, digest } = headerRows(headers, logs, cursor)
    const next: Cursor = { ...last, digest, events: cursor.events + BigInt(logs.length), finalized, halted: null }

    await sql.begin(async (step) => {
      await moveCursor(step, market, cursor, next)
      await insertHeaders(
        step,
        market,
        rows.filter(({ number }) => number >= keepFrom),
      )
      await insertEvents(step, market, logs, folded.events)
      await saveRows(
        step,
        market,
        [...folded.changed].map((key) => [key, packed(cache, key)] as const),
      )
      await insertJournal(step, market, folded.journal)
      await prune(step, market, keepFrom)
      await step`select pg_notify('svc_index', ${`${market}:${next.number}`})`
    })
    trim(cache)
    return next
  } catch (error) {
    // What was folded in memory was not written: it must be read again.
    cache.clear()
    throw error
  }
}

function decode(
  log: RawLog,
  contractAt: ReadonlyMap<string, ContractName>,
  header: BlockHeader | undefined,
): MarketEvent {
  const contract = contractAt.get(log.address.toLowerCase())
  const timestamp = header?.timestamp ?? 0
  const place = {
    block: { number: Number(log.blockNumber), timestamp },
    logIndex: log.logIndex,
    transactionHash: log.transactionHash,
  }
  const event = contract && header && decodeLog(contract, { ...log, ...place })
  if (!event) throw new UnreadableLogError(log)
  return event
}

function headerRows(headers: readonly BlockHeader[], logs: readonly RawLog[], cursor: Cursor) {
  let { digest, events } = cursor
  let at = 0
  const rows = headers.map((header) => {
    for (let log = logs[at]; log && log.blockNumber === header.number; log = logs[++at]) {
      digest = digestAfter(digest, log)
      events++
    }
    return { ...header, digest, events }
  })
  return { rows, digest }
}

function packed(cache: RowCache, key: RowKey): { row: Row; state: string } | null {
  const row = cache.get(key)
  return row ? { row, state: packEntity(row as Entity) } : null
}

async function moveCursor(sql: TransactionSql, market: number, from: Cursor, to: Cursor): Promise<void> {
  const { count } = await sql`
    update cursor set number = ${String(to.number)}, hash = ${toBytes(to.hash)}, "timestamp" = ${to.timestamp},
      digest = ${toBytes(to.digest)}, events = ${String(to.events)}, finalized = ${String(to.finalized)}
    where market = ${market} and number = ${String(from.number)} and hash = ${toBytes(from.hash)} and halted is null`
  if (count !== 1) throw new CursorMovedError(from.number)
}

async function insertHeaders(
  sql: TransactionSql,
  market: number,
  rows: readonly (BlockHeader & { digest: Hex; events: bigint })[],
): Promise<void> {
  await sql`insert into header (market, number, hash, "timestamp", digest, events)
    select ${market}, number, decode(hash, 'hex'), "timestamp", decode(digest, 'hex'), events from unnest(
      ${list(rows.map(({ number }) => String(number)))}::bigint[], ${list(rows.map(({ hash }) => bare(hash)))}::text[],
      ${list(rows.map(({ timestamp }) => timestamp))}::bigint[], ${list(rows.map(({ digest }) => bare(digest)))}::text[],
      ${list(rows.map(({ events }) => String(events)))}::bigint[]) as given(number, hash, "timestamp", digest, events)`
}

// Arrays in one statement rather than COPY: the client hangs when a connection is lost at the end of a COPY.
async function insertEvents(
  sql: TransactionSql,
  market: number,
  logs: readonly RawLog[],
  events: readonly MarketEvent[],
): Promise<void> {
  if (logs.length === 0) return
  const tasks = events.map(({ args }) => (args as { taskId?: bigint }).taskId)
  await sql`insert into event (market, block, log_index, contract, topics, data, task, tx, "timestamp", facts)
    select ${market}, block, log_index, contract, decode(topics, 'hex'), decode(data, 'hex'), task, decode(tx, 'hex'),
      "timestamp", facts::jsonb
    from unnest(
      ${list(logs.map(({ blockNumber }) => String(blockNumber)))}::bigint[], ${list(logs.map(({ logIndex }) => logIndex))}::integer[],
      ${list(events.map(({ contract }) => contractNumber(contract)))}::smallint[],
      ${list(logs.map(({ topics }) => topics.map(bare).join('')))}::text[], ${list(logs.map(({ data }) => bare(data)))}::text[],
      ${list(tasks.map((task) => (task === undefined ? null : String(task))))}::bigint[],
      ${list(logs.map(({ transactionHash }) => bare(transactionHash)))}::text[],
      ${list(events.map(({ block }) => block.timestamp))}::bigint[],
      ${list(events.map(({ facts }) => (facts ? JSON.stringify(facts) : null)))}::text[]
    ) as given(block, log_index, contract, topics, data, task, tx, "timestamp", facts)`
}

async function insertJournal(sql: TransactionSql, market: number, journal: readonly JournalEntry[]): Promise<void> {
  if (journal.length === 0) return
  const keys = journal.map(({ key }) => splitKey(key))
  await sql`insert into journal (market, block, kind, key, before)
    select ${market}, block, kind, key, before::jsonb from unnest(
      ${list(journal.map(({ block }) => String(block)))}::bigint[], ${list(keys.map(([kind]) => kind))}::text[],
      ${list(keys.map(([, key]) => key))}::text[], ${list(journal.map(({ before }) => before))}::text[]) as given(block, kind, key, before)`
}

async function prune(sql: TransactionSql, market: number, keepFrom: bigint): Promise<void> {
  await sql`delete from header where market = ${market} and number < ${String(keepFrom)}`
  await sql`delete from journal where market = ${market} and block <= ${String(keepFrom)}`
}

const bare = (hex: Hex): string => hex.slice(2)
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** A log of one of our contracts that is none of their events: other contracts, or a lie. */
export class UnreadableLogError extends Error {
  override name = 'UnreadableLogError'

  constructor({ address, blockNumber, logIndex }: RawLog) {
    super(`Log ${logIndex} of block ${blockNumber} by ${address} is no event of the market's contracts.`)
  }
}

/** The cursor is not where this writer left it. */
export class CursorMovedError extends Error {
  override name = 'CursorMovedError'

  constructor(number: bigint) {
    super(`The index is not at block ${number} any more: somebody else writes, or it was halted.`)
  }
}
