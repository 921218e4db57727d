import type { At, MarketReader, PageQuery, TaskList, TaskPageText } from '@svc/chain'
import type { Market } from '@svc/protocol'
import type { Sql } from 'postgres'
import { marketNumber, toBytes, toHex } from './cursor.ts'
import { formatLimit } from './sql.ts'
import { IndexUnavailableError } from './unavailable.ts'

/** Larger than every task number. */
const noTask = 2n ** 63n - 1n

interface PageRow {
  number: string
  hash: Buffer
  timestamp: string
  halted: string | null
  /** This and the next two are null if there is no task. */
  text: string | null
  marks: Buffer | null
  offsets: Buffer | null
}

/**
 * Creates the reader of task lists as JSON text. Postgres joins the texts that the writer stored into one row: parsing,
 * serializing and hashing a hundred tasks takes longer than the rest of a response.
 */
export function createTextLists(sql: Sql): MarketReader['listAsText'] {
  return async (market: Market, list: TaskList, { limit, before }: PageQuery): Promise<At<TaskPageText>> => {
    const below = before === undefined || before > noTask ? noTask : before
    const values = [marketNumber(market), String(below), ...('wallet' in list ? [toBytes(list.wallet)] : [])]
    const [row] = await sql.unsafe<PageRow[]>(buildStatement(list.of, limit), values, { prepare: true })
    if (!row || row.halted) throw new IndexUnavailableError(market, row?.halted ?? 'it has no blocks yet')
    const page = cutPage(row, limit)
    // The client keeps references to past queries for a while. Dropping the text keeps it off the heap.
    row.text = null
    const { number, hash, timestamp } = row
    return { ...page, block: { number: BigInt(number), hash: toHex(hash), timestamp: Number(timestamp) } }
  }
}

const filters: Readonly<Record<TaskList['of'], string>> = {
  open: 'and posted',
  recent: '',
  poster: 'and poster = $3',
  worker: 'and worker = $3',
}

/** Builds a statement that joins a page of tasks into one row, with the cursor, by a range scan of an index of `task`. */
function buildStatement(of: TaskList['of'], limit: number): string {
  return `select c.number, c.hash, c."timestamp", c.halted, r.*
    from market.cursor c left join lateral (
      select string_agg(json, ',') as text, string_agg(mark, '') as marks,
        string_agg(int8send(key) || int4send(octet_length(json)), '') as offsets
      from (select key, json, mark from market.task where market = c.market ${filters[of]} and key < $2
        order by key desc ${formatLimit(limit)}) t) r on true
    where c.market = $1`
}

/** Cuts a page to `limit` tasks. The statement returns a few more. */
function cutPage({ text, marks, offsets }: PageRow, limit: number): TaskPageText {
  if (text === null || !marks || !offsets) return { text: '', marks: Buffer.alloc(0), next: null }
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
  }
}

/** A task number and the length of its text in bytes, which is also its length in characters: the text is ASCII. */
const offsetBytes = 8 + 4
const markBytes = 16
