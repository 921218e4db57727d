import type { RawLog } from '@svc/chain'
import { markets, SvcError } from '@svc/protocol'
import { type ContractName, decodeLog, type Entity, type MarketEvent } from '@svc/protocol/fold'
import { serializeEntity } from '@svc/protocol/internal/fold'
import type { Sql, TransactionSql } from 'postgres'
import type { Address, Hex } from 'viem'
import { clearRows, type DigestedBlock, loadIntoCache, type RowCache, trimCache, type Unwritten } from './cache.ts'
import { type Cursor, extendDigest, toBytes } from './cursor.ts'
import { contractNumber } from './events.ts'
import { foldBlocks, type JournalEntry } from './foldBlocks.ts'
import { listLinkedRows, listNamedRows } from './rowDependencies.ts'
import { saveRows } from './rows.ts'
import { toJsonArray, toPgArray, toPlainPgArray } from './sql.ts'
import { parseRowKey, type Row, type RowKey } from './tables.ts'

/** A block header as the index stores it. */
export interface BlockHeader {
  number: bigint
  hash: Hex
  timestamp: number
}

/** Blocks that follow the cursor, with all their logs of the market's contracts. */
export interface Batch {
  /** Every block. Up to `settled`, blocks without logs can be left out, except the last. */
  headers: readonly BlockHeader[]
  logs: readonly RawLog[]
  finalized: bigint
  /** Blocks up to this one are never rolled back, so neither headers nor journal are stored below it. */
  settled: bigint
  /** Whether more blocks follow at once. */
  more: boolean
  /** Contracts by their address, in lower case. */
  contractAt: ReadonlyMap<string, ContractName>
  registry: Address
}

/** What is written together at most. A writer that ends before has to read so much again. */
const [maxBatches, maxEvents] = [4, 16_000]

/** Rows of one statement. */
const rowsPerStatement = 4_000

/**
 * Folds a batch and writes it in one transaction: headers, events, folded rows, journal, cursor and a NOTIFY. If more blocks follow, it
 * is written while the next ones are folded; settled blocks are gathered first. Throws `CursorMovedError` if the cursor is not where
 * this writer left it, because then another process writes. After any other error, everything before this batch is written.
 */
export async function appendBatch(
  sql: Sql,
  market: number,
  cursor: Cursor,
  batch: Batch,
  cache: RowCache,
): Promise<Cursor> {
  try {
    const next = await foldBatch(sql, market, cursor, batch, cache)
    const isGathered = batch.more && next.number <= batch.settled
    const { batches } = cache.unwritten ?? { batches: [] }
    const isFull = batches.length >= maxBatches || batches.reduce((sum, { logs }) => sum + logs.length, 0) >= maxEvents
    if (isFull || !isGathered) await startWriting(sql, market, cache)
    if (!batch.more) await cache.writing
    return next
  } catch (error) {
    // The fold may have ended in the middle of a batch.
    clearRows(cache)
    await writeGathered(sql, market, cache)
    throw error
  }
}

/** Writes what was gathered. */
export async function writeGathered(sql: Sql, market: number, cache: RowCache): Promise<void> {
  await startWriting(sql, market, cache)
  await cache.writing
}

/** Starts to write what was gathered, after what is being written. */
async function startWriting(sql: Sql, market: number, cache: RowCache): Promise<void> {
  await cache.writing
  const { unwritten } = cache
  if (!unwritten) return
  cache.unwritten = null
  cache.writing = write(sql, market, unwritten)
  // Its error is thrown where the next blocks are written.
  cache.writing.catch(() => {})
  trimCache(cache)
}

async function foldBatch(
  sql: Sql,
  market: number,
  cursor: Cursor,
  { headers, logs, finalized, settled, contractAt, registry }: Batch,
  cache: RowCache,
): Promise<Cursor> {
  const last = headers.at(-1)
  if (!last) return cursor
  // Before its first event, a market has no rows.
  if (cursor.events === 0n && cache.rows.size === 0) cache.isComplete = true
  const events = decodeAll(headers, logs, contractAt)
  const named = listNamedRows(events)
  await loadIntoCache(sql, market, cache, named)
  const linked = listLinkedRows([...named].map((key) => [key, cache.rows.get(key) ?? null] as const))
  await loadIntoCache(sql, market, cache, linked)
  const folded = foldBlocks(cache.rows, events, settled)
  const { rows, digest } = headerRows(headers, logs, cursor)
  const to: Cursor = {
    ...last,
    digest,
    events: cursor.events + BigInt(logs.length),
    finalized,
    refolds: cursor.refolds,
    halted: null,
  }
  const before = cache.unwritten
  const changed = [...folded.changed].map((key) => [key, cache.rows.get(key) ?? null] as const)
  cache.unwritten = {
    from: before?.from ?? cursor,
    to,
    settled,
    registry,
    headers: [...(before?.headers ?? []), ...rows.filter(({ number }) => number >= settled)],
    batches: [...(before?.batches ?? []), { logs, events: folded.events }],
    rows: new Map([...(before?.rows ?? []), ...changed]),
    journal: folded.journal,
  }
  return to
}

async function write(
  sql: Sql,
  market: number,
  { from, to, settled, registry, headers, batches, rows, journal }: Unwritten,
): Promise<void> {
  await sql.begin(async (step) => {
    await moveCursor(step, market, from, to)
    await insertHeaders(step, market, headers)
    for (const { logs, events } of batches) await insertEvents(step, market, logs, events)
    const changed = [...rows]
    for (let at = 0; at < changed.length; at += rowsPerStatement)
      await saveRows(step, market, registry, changed.slice(at, at + rowsPerStatement).map(packRow))
    await insertJournal(step, market, journal)
    await prune(step, market, settled)
    await step`select pg_notify('svc_index', ${`${market}:${to.number}`})`
  })
}

const packRow = ([key, row]: readonly [RowKey, Row | null]) =>
  [key, row && { row, state: serializeEntity(row as Entity) }] as const

function decodeAll(
  headers: readonly BlockHeader[],
  logs: readonly RawLog[],
  contractAt: ReadonlyMap<string, ContractName>,
): MarketEvent[] {
  let at = 0
  return logs.map((log) => {
    while (at < headers.length && (headers[at]?.number ?? 0n) < log.blockNumber) at++
    const header = headers[at]
    return decodeOne(log, contractAt, header?.number === log.blockNumber ? header : undefined)
  })
}

function decodeOne(
  log: RawLog,
  contractAt: ReadonlyMap<string, ContractName>,
  header: BlockHeader | undefined,
): MarketEvent {
  const contract = contractAt.get(log.address.toLowerCase())
  const timestamp = header?.timestamp ?? 0
  const position = {
    block: { number: Number(log.blockNumber), timestamp },
    logIndex: log.logIndex,
    transactionHash: log.transactionHash,
  }
  const event = contract && header && decodeLog(contract, { ...log, ...position })
  if (!event) throw new UnreadableLogError(log)
  return event
}

function headerRows(headers: readonly BlockHeader[], logs: readonly RawLog[], cursor: Cursor) {
  let { digest, events } = cursor
  let at = 0
  const rows = headers.map((header) => {
    for (let log = logs[at]; log && log.blockNumber === header.number; log = logs[++at]) {
      digest = extendDigest(digest, log)
      events++
    }
    return { ...header, digest, events }
  })
  return { rows, digest }
}

/**
 * True in a transaction of the writer of a market: the connection holds the writer's lock, or nobody does. A client that lost its
 * connection opens another one by itself, which does not have the lock, and then must not write.
 */
export const isWriter = (sql: TransactionSql, market: number) =>
  sql`pg_try_advisory_xact_lock(hashtextextended(current_schema() || ${` ${markets[market]}`}, 0))`

async function moveCursor(sql: TransactionSql, market: number, from: Cursor, to: Cursor): Promise<void> {
  const { count } = await sql`
    update cursor set number = ${String(to.number)}, hash = ${toBytes(to.hash)}, "timestamp" = ${to.timestamp},
      digest = ${toBytes(to.digest)}, events = ${String(to.events)}, finalized = ${String(to.finalized)}
    where market = ${market} and number = ${String(from.number)} and hash = ${toBytes(from.hash)} and halted is null
      and refolds = ${from.refolds} and ${isWriter(sql, market)}`
  if (count !== 1) throw new CursorMovedError(from.number)
}

async function insertHeaders(sql: TransactionSql, market: number, rows: readonly DigestedBlock[]): Promise<void> {
  await sql`insert into header (market, number, hash, "timestamp", digest, events)
    select ${market}, number, decode(hash, 'hex'), "timestamp", decode(digest, 'hex'), events from unnest(
      ${toPlainPgArray(rows.map(({ number }) => number))}::bigint[], ${toPlainPgArray(rows.map(({ hash }) => stripPrefix(hash)))}::text[],
      ${toPlainPgArray(rows.map(({ timestamp }) => timestamp))}::bigint[],
      ${toPlainPgArray(rows.map(({ digest }) => stripPrefix(digest)))}::text[],
      ${toPlainPgArray(rows.map(({ events }) => events))}::bigint[]) as given(number, hash, "timestamp", digest, events)`
}

// Inserts arrays instead of using COPY: the client hangs if the connection is lost at the end of a COPY.
async function insertEvents(
  sql: TransactionSql,
  market: number,
  logs: readonly RawLog[],
  events: readonly MarketEvent[],
): Promise<void> {
  if (logs.length === 0) return
  const tasks = events.map(({ args }) => (args as { taskId?: bigint }).taskId ?? null)
  await sql`insert into event (market, block, log_index, contract, topics, data, task, tx, "timestamp", facts)
    select ${market}, block, log_index, contract, decode(topics, 'hex'), decode(data, 'hex'), task, decode(tx, 'hex'),
      "timestamp", nullif(facts, 'null')
    from rows from (
      unnest(${toPlainPgArray(logs.map(({ blockNumber }) => blockNumber))}::bigint[]),
      unnest(${toPlainPgArray(logs.map(({ logIndex }) => logIndex))}::integer[]),
      unnest(${toPlainPgArray(events.map(({ contract }) => contractNumber(contract)))}::smallint[]),
      unnest(${toPlainPgArray(logs.map(({ topics }) => topics.map(stripPrefix).join('')))}::text[]),
      unnest(${toPlainPgArray(logs.map(({ data }) => stripPrefix(data)))}::text[]),
      unnest(${toPlainPgArray(tasks)}::bigint[]),
      unnest(${toPlainPgArray(logs.map(({ transactionHash }) => stripPrefix(transactionHash)))}::text[]),
      unnest(${toPlainPgArray(events.map(({ block }) => block.timestamp))}::bigint[]),
      jsonb_array_elements(${toJsonArray(events.map(({ facts }) => (facts ? JSON.stringify(facts) : null)))}::text::jsonb)
    ) as given(block, log_index, contract, topics, data, task, tx, "timestamp", facts)`
}

async function insertJournal(sql: TransactionSql, market: number, journal: readonly JournalEntry[]): Promise<void> {
  if (journal.length === 0) return
  const keys = journal.map(({ key }) => parseRowKey(key))
  await sql`insert into journal (market, block, kind, key, before)
    select ${market}, block, kind, key, before from rows from (
      unnest(${toPlainPgArray(journal.map(({ block }) => block))}::bigint[]),
      unnest(${toPgArray(keys.map(([kind]) => kind))}::text[]),
      unnest(${toPgArray(keys.map(([, key]) => key))}::text[]),
      json_array_elements_text(${toJsonArray(journal.map(({ before }) => before))}::text::json)
    ) as given(block, kind, key, before)`
}

async function prune(sql: TransactionSql, market: number, settled: bigint): Promise<void> {
  await sql`delete from header where market = ${market} and number < ${String(settled)}`
  await sql`delete from journal where market = ${market} and block <= ${String(settled)}`
}

const stripPrefix = (hex: Hex): string => hex.slice(2)

/** A log of one of our contracts that is not one of their events: wrong addresses, or a provider with false data. */
export class UnreadableLogError extends SvcError {
  override name = 'UnreadableLogError'

  constructor({ address, blockNumber, logIndex }: RawLog) {
    super(
      'UNREADABLE_LOG',
      `Log ${logIndex} of block ${blockNumber} from ${address} is not an event of the market's contracts. Check the addresses in the deployments file.`,
    )
  }
}

/** The cursor is not where this writer left it. */
export class CursorMovedError extends SvcError {
  override name = 'CursorMovedError'

  constructor(number: bigint) {
    super(
      'CURSOR_MOVED',
      `The index is no longer at block ${number}: another process writes to it, a row was folded again, or it was halted.`,
    )
  }
}
