import type { At, PageQuery, TaskList, TaskPageText } from '@svc/chain'
import { textMarks } from '@svc/operations/taskText'
import type { Market } from '@svc/protocol'
import type { Sql } from 'postgres'
import { marketNumber, toBytes, toHex } from './cursor.ts'
import { isClaimable, isEarly } from './phases.ts'
import { formatLimit } from './sql.ts'
import { assertUsable, type Usability } from './unavailable.ts'

/** Larger than every task number. */
const noTask = 2n ** 63n - 1n

interface PageRow extends Usability {
  number: string
  hash: Buffer
  timestamp: string
  /** This and the following are null if there is no task. */
  text: string | null
  marks: Buffer | null
  offsets: Buffer | null
}

/**
 * Creates the reader of task lists as JSON text. Postgres joins the texts that the writer stored into one row: parsing,
 * serializing and hashing a hundred tasks takes longer than the rest of a response.
 */
export function createTextLists(sql: Sql) {
  return async (market: Market, list: TaskList, { limit, before }: PageQuery): Promise<At<TaskPageText>> => {
    const below = before === undefined || before > noTask ? noTask : before
    const values = [marketNumber(market), String(below), ...('wallet' in list ? [toBytes(list.wallet)] : [])]
    const [row] = await sql.unsafe<PageRow[]>(buildStatement(list.of, limit), values, { prepare: true })
    assertUsable(market, row, rowsOfLists)
    const page = cutPage(row, limit)
    // The client keeps references to past queries for a while. Dropping the text keeps it off the heap.
    row.text = null
    const { number, hash, timestamp } = row
    return { ...page, block: { number: BigInt(number), hash: toHex(hash), timestamp: Number(timestamp) } }
  }
}

/** The kinds of rows that lists of tasks use: whether a task can be claimed depends on the market's entries. */
export const rowsOfLists = ['task', 'entries'] as const

const filters: Readonly<Record<TaskList['of'], string>> = {
  open: `and ${isClaimable}`,
  recent: '',
  poster: 'and t.poster = $3',
  worker: 'and t.worker = $3',
}

/** Builds a statement that joins a page of tasks into one row, with the cursor, by a range scan of an index of `task`. */
function buildStatement(of: TaskList['of'], limit: number): string {
  return `select c.number, c.hash, c."timestamp", c.halted, c.suspects, r.*
    from market.cursor c left join lateral (
      select string_agg(json || tail, ',') as text,
        string_agg(mark || case when early then '\\x${textMarks.early}'::bytea else '\\x${textMarks.late}'::bytea end, '') as marks,
        string_agg(int8send(key) || int4send(octet_length(json) + octet_length(tail)) ||
          int8send(case when early then coalesce(phase_end, 0) else 0 end), '') as offsets
      from (select key, json, mark, phase_end, early, case when early then early_text else late_text end as tail
        from (select t.key, t.json, t.mark, t.phase_end, t.early as early_text, t.late as late_text, ${isEarly} as early
          from market.task t where t.market = c.market ${filters[of]} and t.key < $2
          order by t.key desc ${formatLimit(limit)}) found) t) r on true
    where c.market = $1`
}

/** Cuts a page to `limit` tasks. The statement returns a few more. */
function cutPage({ text, marks, offsets }: PageRow, limit: number): TaskPageText {
  if (text === null || !marks || !offsets) return { text: '', marks: Buffer.alloc(0), next: null, validUntil: null }
  const found = offsets.length / offsetBytes
  const count = Math.min(limit, found)
  // There is a comma between two tasks.
  const measureText = (tasks: number) => {
    let length = tasks - 1
    for (let at = 0; at < tasks; at++) length += offsets.readInt32BE(at * offsetBytes + 8)
    return length
  }
  if (measureText(found) !== text.length)
    throw new Error(`A page of tasks has ${text.length} bytes, but its tasks have ${measureText(found)}.`)
  return {
    text: count < found ? text.slice(0, measureText(count)) : text,
    marks: marks.subarray(0, count * markBytes),
    next: count < found ? offsets.readBigInt64BE((count - 1) * offsetBytes) : null,
    validUntil: findFirstEnd(offsets, Math.min(count + 1, found)),
  }
}

/** Finds the earliest end of a phase. The task after the page counts too: it decides whether there is a next page. */
function findFirstEnd(offsets: Buffer, tasks: number): number | null {
  let first = 0n
  for (let at = 0; at < tasks; at++) {
    const end = offsets.readBigInt64BE(at * offsetBytes + 12)
    if (end !== 0n && (first === 0n || end < first)) first = end
  }
  return first === 0n ? null : Number(first)
}

/**
 * A task number, the length of its text in bytes, which is also its length in characters because the text is ASCII, and the last
 * second of its phase, or zero.
 */
const offsetBytes = 8 + 4 + 8
const markBytes = 16
