import type { At, MarketReader, PageQuery, TaskList, TaskPageText } from '@svc/chain'
import type { Market } from '@svc/protocol'
import type { Sql } from 'postgres'
import { marketNumber, toBytes, toHex } from './cursor.ts'
import { limitFor } from './limitFor.ts'
import { IndexUnavailableError } from './unavailable.ts'

/** Above the number of every task. */
const noTask = 2n ** 63n - 1n

interface PageRow {
  number: string
  hash: Buffer
  timestamp: string
  halted: string | null
  /** The last three are null where there is no task. */
  text: string | null
  marks: Buffer | null
  places: Buffer | null
}

/**
 * Lists of tasks as text. The server joins what the writer wrote, in one row: unpacking a hundred tasks, writing them out and
 * hashing them takes longer than all the rest of an answer.
 */
export function createTextLists(sql: Sql): MarketReader['listAsText'] {
  return async (market: Market, list: TaskList, { limit, before }: PageQuery): Promise<At<TaskPageText>> => {
    const below = before === undefined || before > noTask ? noTask : before
    const values = [marketNumber(market), String(below), ...('wallet' in list ? [toBytes(list.wallet)] : [])]
    const [row] = await sql.unsafe<PageRow[]>(statementOf(list.of, limit), values, { prepare: true })
    if (!row || row.halted) throw new IndexUnavailableError(market, row?.halted ?? 'it has no block yet')
    const page = pageOf(row, limit)
    // The client's queries hold on to each other for a while, and large texts with them would soon fill the heap.
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

/** A range scan of one of the indexes of `task`, newest first, in one row beside the cursor. */
function statementOf(of: TaskList['of'], limit: number): string {
  return `select c.number, c.hash, c."timestamp", c.halted, r.*
    from market.cursor c left join lateral (
      select string_agg(json, ',') as text, string_agg(mark, '') as marks,
        string_agg(int8send(key) || int4send(octet_length(json)), '') as places
      from (select key, json, mark from market.task where market = c.market ${filters[of]} and key < $2
        order by key desc ${limitFor(limit)}) t) r on true
    where c.market = $1`
}

/** Of what was found so many tasks; the server answers with some more. */
function pageOf({ text, marks, places }: PageRow, limit: number): TaskPageText {
  if (text === null || !marks || !places) return { text: '', marks: Buffer.alloc(0), next: null }
  const found = places.length / placeBytes
  const count = Math.min(limit, found)
  // Between two tasks stands a comma.
  const lengthOf = (tasks: number) => {
    let length = tasks - 1
    for (let at = 0; at < tasks; at++) length += places.readInt32BE(at * placeBytes + 8)
    return length
  }
  if (lengthOf(found) !== text.length) throw new Error('A page of tasks is not as long as its tasks.')
  return {
    text: count < found ? text.slice(0, lengthOf(count)) : text,
    marks: marks.subarray(0, count * markBytes),
    next: count < found ? places.readBigInt64BE((count - 1) * placeBytes) : null,
  }
}

/** A task's number, and how many bytes its text has: no letter of it takes more than one. */
const placeBytes = 8 + 4
const markBytes = 16
