import { SvcError } from '@svc/protocol'
import type { Entity, EntityKey, MarketEvent } from '@svc/protocol/fold'
import {
  applyEvent,
  canonicalizeRecord,
  type FoldedTask,
  listAffectedEntities,
  serializeEntity,
} from '@svc/protocol/internal/fold'
import type { Fragment, Sql } from 'postgres'
import type { Address } from 'viem'
import { getHeaderHash, getOldestHeader, loadCursor } from './cursor.ts'
import { contractNumber, decodeEventRow, type EventRow } from './events.ts'
import { deriveLedgers } from './ledgers.ts'
import { saveRows } from './rows.ts'
import { type AnySql, toJsonArray, toPgArray, toPlainPgArray } from './sql.ts'
import { parseRowKey, type Row, type RowKey } from './tables.ts'

/** A row as its events fold to it. */
interface FoldedRow {
  row: Entity | null
  /** The state before the first change in each block that can be rolled back, as the journal has it. */
  before: Map<number, string | null>
}

/** Ledgers of wallets with more tasks are not derived under the writer's lock. */
const ledgerLimits = { perWallet: 20_000, total: 40_000 }

/**
 * Folds rows again from the stored events, and writes them with the journal that belongs to them. Ledgers follow from the tasks.
 * Most events are read before the writer is stopped; only those of newer blocks are read while it waits. The writer then loads
 * its rows again. Throws `RefoldInterruptedError` if the chain reorganised meanwhile.
 */
export async function refoldRows(sql: Sql, market: number, registry: Address, keys: readonly RowKey[]): Promise<void> {
  const entities = keys.filter((key): key is EntityKey => !key.startsWith('ledger:'))
  const wallets = keys.filter((key) => key.startsWith('ledger:')).map((key) => parseRowKey(key)[1])
  const read = await sql.begin('isolation level repeatable read read only', async (snapshot) => {
    const cursor = await loadCursor(snapshot, market)
    if (!cursor) throw new RefoldInterruptedError()
    const journaled = await getOldestHeader(snapshot, market)
    const rows = new Map<EntityKey, FoldedRow>()
    for (const key of entities)
      rows.set(key, await foldRow(snapshot, market, key, { row: null, before: new Map() }, journaled))
    return { cursor, journaled, rows }
  })
  await sql.begin(async (step) => {
    // Waits for the step that is being written, and keeps the next one waiting.
    const { count } = await step`select from cursor where market = ${market} for update`
    const hash = await getHeaderHash(step, market, read.cursor.number)
    if (count !== 1 || hash !== read.cursor.hash) throw new RefoldInterruptedError()
    for (const key of entities) {
      const known = read.rows.get(key)
      if (!known) continue
      const folded = await foldRow(step, market, key, known, read.journaled, read.cursor.number)
      await saveRows(step, market, registry, [[key, pack(folded.row)]])
      await saveJournal(step, market, key, folded.before)
    }
    const ledgers = await deriveLedgers(step, market, wallets, ledgerLimits)
    await saveRows(
      step,
      market,
      registry,
      [...ledgers].map(([wallet, ledger]) => [`ledger:${wallet}` as const, pack(ledger)] as const),
    )
    await step`update cursor set refolds = refolds + 1 where market = ${market}`
    await step`select pg_notify('svc_index', ${`${market}:refolded`})`
  })
}

/** Continues the fold of a row with its events after a block. */
async function foldRow(
  sql: AnySql,
  market: number,
  key: EntityKey,
  { row: start, before }: FoldedRow,
  journaled: bigint,
  after?: bigint,
): Promise<FoldedRow> {
  const newer = after === undefined ? sql`` : sql`and block > ${String(after)}`
  let row = start
  const events = sql<EventRow[]>`
    select ${eventColumns(sql)} from event where market = ${market} and ${selectEvents(sql, key)} ${newer}
    order by block, log_index`
  for await (const page of events.cursor(2_000)) {
    for (const event of page.map(decodeEventRow)) {
      if (!listAffectedEntities(event).includes(key)) continue
      const { number } = event.block
      if (BigInt(number) > journaled && !before.has(number)) before.set(number, row && serializeEntity(row))
      row = applyEvent(key, row, event)
    }
  }
  return { row, before }
}

/** Selects all events that may concern a row, and some others. */
function selectEvents(sql: AnySql, key: EntityKey): Fragment {
  const [kind, id] = parseRowKey(key)
  switch (kind) {
    case 'task':
    case 'dispute':
      return sql`task = ${id}`
    case 'union':
      return sql`contract = ${contractNumber('stakingVault')}`
    case 'entries':
      return sql`task is null and contract = ${contractNumber('taskRegistry')}`
    default: {
      // No index finds the events of a wallet, so all events are read once: seconds for millions.
      const wallet = sql`decode(${id.slice(2)}, 'hex')`
      return sql`(position(${wallet} in topics) > 0 or position(${wallet} in data) > 0)`
    }
  }
}

const eventColumns = (sql: AnySql) => sql`
  block::integer as block, log_index as "logIndex", contract, encode(topics, 'hex') as topics,
  encode(data, 'hex') as data, encode(tx, 'hex') as tx, "timestamp"::integer as timestamp, facts`

const pack = (row: Row | null) => row && { row, state: serializeEntity(row as Entity) }

async function saveJournal(
  sql: AnySql,
  market: number,
  key: EntityKey,
  before: ReadonlyMap<number, string | null>,
): Promise<void> {
  if (before.size === 0) return
  const [kind, id] = parseRowKey(key)
  await sql`update journal set before = given.before from rows from (
      unnest(${toPlainPgArray([...before.keys()])}::bigint[]),
      json_array_elements_text(${toJsonArray([...before.values()])}::text::json)) as given(block, before)
    where market = ${market} and kind = ${kind} and key = ${id} and journal.block = given.block`
}

/** Folds tasks again from their stored events only, without tasks that have no events. */
async function refoldTasks(sql: AnySql, market: number, numbers: readonly string[]): Promise<Map<string, FoldedTask>> {
  const rows = await sql<(EventRow & { task: string })[]>`
    select task, ${eventColumns(sql)}
    from event where market = ${market} and task = any(${toPgArray(numbers)}::bigint[]) order by task, block, log_index`
  const tasks = new Map<string, FoldedTask>()
  for (const row of rows) {
    const event: MarketEvent = decodeEventRow(row)
    const key: EntityKey = `task:${BigInt(row.task)}`
    if (!listAffectedEntities(event).includes(key)) continue
    tasks.set(row.task, applyEvent(key, tasks.get(row.task) ?? null, event) as FoldedTask)
  }
  return tasks
}

/**
 * Compares tasks restored from the journal with what their remaining events fold to, and returns the ones that differ, as they
 * must be. The journal has a wrong state if a row was wrong when it was changed.
 */
export async function findWronglyRestored(
  sql: AnySql,
  market: number,
  restored: ReadonlyMap<string, FoldedTask | null>,
): Promise<Map<string, FoldedTask | null>> {
  const refolded = await refoldTasks(sql, market, [...restored.keys()])
  const wrong = [...restored].flatMap(([number, task]) => {
    const right = refolded.get(number) ?? null
    return canonicalizeRecord(task) === canonicalizeRecord(right) ? [] : [[number, right] as const]
  })
  return new Map(wrong)
}

/** The chain reorganised while rows were folded again. Nothing was written; try again. */
export class RefoldInterruptedError extends SvcError {
  override name = 'RefoldInterruptedError'

  constructor() {
    super('REFOLD_INTERRUPTED', 'The chain reorganised while rows were folded again. The next comparison tries again.')
  }
}
