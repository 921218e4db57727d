import type { RawLog } from '@svc/chain'
import { type ContractName, decodeLog, type Entity, type MarketEvent, packEntity } from '@svc/protocol/fold'
import type { Sql, TransactionSql } from 'postgres'
import type { Address, Hex } from 'viem'
import { know, type RowCache, trim } from './cache.ts'
import { type Cursor, digestAfter, toBytes } from './cursor.ts'
import { contractNumber } from './events.ts'
import { foldBlocks, type JournalEntry } from './foldBlocks.ts'
import { type Row, type RowKey, splitKey } from './kinds.ts'
import { jsonList, list, plainList } from './list.ts'
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
  /** All of them; of those up to `settled` only the ones that have logs, and the last, must be there. */
  headers: readonly BlockHeader[]
  logs: readonly RawLog[]
  finalized: bigint
  /** Up to this block nothing is ever taken back: no headers and no journal are kept below it. */
  settled: bigint
  /** The contract that stands at an address, in lower case. */
  contractAt: ReadonlyMap<string, ContractName>
  registry: Address
}

/**
 * Writes a batch as one step: headers, events, folded rows, journal, cursor and a NOTIFY, all or nothing. Refuses when the
 * cursor is not where the writer thinks it is: somebody else writes.
 */
export async function append(
  sql: Sql,
  market: number,
  cursor: Cursor,
  { headers, logs, finalized, settled, contractAt, registry }: Batch,
  cache: RowCache,
): Promise<Cursor> {
  const last = headers.at(-1)
  if (!last) return cursor
  const events = decodeAll(headers, logs, contractAt)
  try {
    const named = namedBy(events)
    await know(sql, market, cache, named)
    await know(sql, market, cache, ledToBy([...named].map((key) => [key, cache.get(key) ?? null] as const)))
    const folded = foldBlocks(cache, events, settled)
    const { rows, digest } = headerRows(headers, logs, cursor)
    const next: Cursor = { ...last, digest, events: cursor.events + BigInt(logs.length), finalized, halted: null }

    await sql.begin(async (step) => {
      await moveCursor(step, market, cursor, next)
      await insertHeaders(
        step,
        market,
        rows.filter(({ number }) => number >= settled),
      )
      await insertEvents(step, market, logs, folded.events)
      await saveRows(
        step,
        market,
        registry,
        [...folded.changed].map((key) => [key, packed(cache, key)] as const),
      )
      await insertJournal(step, market, folded.journal)
      await prune(step, market, settled)
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

function decodeAll(
  headers: readonly BlockHeader[],
  logs: readonly RawLog[],
  contractAt: ReadonlyMap<string, ContractName>,
): MarketEvent[] {
  let at = 0
  return logs.map((log) => {
    while (at < headers.length && (headers[at]?.number ?? 0n) < log.blockNumber) at++
    const header = headers[at]
    return decode(log, contractAt, header?.number === log.blockNumber ? header : undefined)
  })
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
      ${plainList(rows.map(({ number }) => number))}::bigint[], ${plainList(rows.map(({ hash }) => bare(hash)))}::text[],
      ${plainList(rows.map(({ timestamp }) => timestamp))}::bigint[],
      ${plainList(rows.map(({ digest }) => bare(digest)))}::text[],
      ${plainList(rows.map(({ events }) => events))}::bigint[]) as given(number, hash, "timestamp", digest, events)`
}

// Arrays in one statement rather than COPY: the client hangs when a connection is lost at the end of a COPY.
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
      unnest(${plainList(logs.map(({ blockNumber }) => blockNumber))}::bigint[]),
      unnest(${plainList(logs.map(({ logIndex }) => logIndex))}::integer[]),
      unnest(${plainList(events.map(({ contract }) => contractNumber(contract)))}::smallint[]),
      unnest(${plainList(logs.map(({ topics }) => topics.map(bare).join('')))}::text[]),
      unnest(${plainList(logs.map(({ data }) => bare(data)))}::text[]),
      unnest(${plainList(tasks)}::bigint[]),
      unnest(${plainList(logs.map(({ transactionHash }) => bare(transactionHash)))}::text[]),
      unnest(${plainList(events.map(({ block }) => block.timestamp))}::bigint[]),
      jsonb_array_elements(${jsonList(events.map(({ facts }) => (facts ? JSON.stringify(facts) : null)))}::text::jsonb)
    ) as given(block, log_index, contract, topics, data, task, tx, "timestamp", facts)`
}

async function insertJournal(sql: TransactionSql, market: number, journal: readonly JournalEntry[]): Promise<void> {
  if (journal.length === 0) return
  const keys = journal.map(({ key }) => splitKey(key))
  await sql`insert into journal (market, block, kind, key, before)
    select ${market}, block, kind, key, before from rows from (
      unnest(${plainList(journal.map(({ block }) => block))}::bigint[]),
      unnest(${list(keys.map(([kind]) => kind))}::text[]),
      unnest(${list(keys.map(([, key]) => key))}::text[]),
      json_array_elements_text(${jsonList(journal.map(({ before }) => before))}::text::json)
    ) as given(block, kind, key, before)`
}

async function prune(sql: TransactionSql, market: number, settled: bigint): Promise<void> {
  await sql`delete from header where market = ${market} and number < ${String(settled)}`
  await sql`delete from journal where market = ${market} and block <= ${String(settled)}`
}

const bare = (hex: Hex): string => hex.slice(2)

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
