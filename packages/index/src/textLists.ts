import type { At, PageQuery, TaskList, TaskPageText } from '@svc/chain'
import { textMarks } from '@svc/operations/taskText'
import type { Market } from '@svc/protocol'
import type { Sql } from 'postgres'
import { marketNumber, toBytes, toHex } from './cursor.ts'
import { isClaimable, isEarly } from './phases.ts'
import { formatLimit, toPlainPgArray } from './sql.ts'
import { createTextCache, type TextCache } from './textCache.ts'
import { assertUsable, IndexUnavailableError, type Usability } from './unavailable.ts'

/** Larger than every task number. */
const noTask = 2n ** 63n - 1n

/** About a kilobyte each. */
const maxCachedChars = 64_000_000

interface PageRow extends Usability {
  number: string
  hash: Buffer
  timestamp: string
  /** Of each task its fingerprint, and its number. Null if there is no task, as is the end of the first phase that ends. */
  marks: Buffer | null
  keys: Buffer | null
  end: string | null
}

/**
 * Creates the reader of task lists as JSON text. One statement names the tasks of a page at a block by their fingerprints. Their
 * texts, which the writer stored, come from memory; a second statement reads those that are not there yet.
 */
export function createTextLists(sql: Pick<Sql, 'unsafe'>, texts: TextCache = createTextCache(maxCachedChars)) {
  return async (market: Market, list: TaskList, { limit, before }: PageQuery): Promise<At<TaskPageText>> => {
    const below = before === undefined || before > noTask ? noTask : before
    const values = [marketNumber(market), String(below), ...('wallet' in list ? [toBytes(list.wallet)] : [])]
    // A task that changes between the two statements has no text under its old fingerprint any more.
    for (let tries = 0; tries < mostTries; tries++) {
      const [row] = await sql.unsafe<PageRow[]>(buildStatement(list.of, limit), values, { prepare: true })
      assertUsable(market, row, rowsOfLists)
      const { number, hash, timestamp, marks, keys, end } = row
      const block = { number: BigInt(number), hash: toHex(hash), timestamp: Number(timestamp) }
      if (!marks || !keys) return { text: '', marks: Buffer.alloc(0), next: null, validUntil: null, block }
      const all = keys.length / keyBytes
      const count = Math.min(limit, all)
      const shown = marks.subarray(0, count * markBytes)
      const text = await joinTexts(market, shown, keys)
      if (text === null) continue
      return {
        text,
        marks: shown,
        next: count < all ? keys.readBigInt64BE((count - 1) * keyBytes) : null,
        // The tasks after the page count too: they decide whether there is a next page.
        validUntil: end === null ? null : Number(end),
        block,
      }
    }
    throw new IndexUnavailableError(market, 'tasks of the page change faster than it is read')
  }

  /** Joins the texts of tasks; null if one has changed. */
  async function joinTexts(market: Market, marks: Buffer, keys: Buffer): Promise<string | null> {
    const names = marks.toString('latin1')
    const found: (string | undefined)[] = []
    const missing: number[] = []
    for (let at = 0; at < names.length; at += markBytes) {
      const text = texts.get(names.slice(at, at + markBytes))
      if (text === undefined) missing.push(at / markBytes)
      found.push(text)
    }
    if (missing.length > 0) {
      const wanted = missing.map((at) => ({
        key: keys.readBigInt64BE(at * keyBytes),
        isLate: marks[(at + 1) * markBytes - 1] === lateByte,
      }))
      const read = await readTexts(market, wanted)
      for (const at of missing) {
        const text = read.get(names.slice(at * markBytes, (at + 1) * markBytes))
        if (text === undefined) return null
        found[at] = text
      }
    }
    return found.join(',')
  }

  async function readTexts(market: Market, wanted: readonly { key: bigint; isLate: boolean }[]) {
    const keys = toPlainPgArray(wanted.map(({ key }) => key))
    const late = toPlainPgArray(wanted.map(({ isLate }) => String(isLate)))
    const values = [marketNumber(market), keys, late]
    const rows = await sql.unsafe<{ mark: Buffer; text: string }[]>(textStatement, values, { prepare: true })
    const read = new Map<string, string>()
    for (const { mark, text } of rows) {
      const name = mark.toString('latin1')
      read.set(name, text)
      texts.put(name, text)
    }
    return read
  }
}

const mostTries = 5
const [markBytes, keyBytes] = [16, 8]
const lateByte = Number.parseInt(textMarks.late, 16)

/** The kinds of rows that lists of tasks use: whether a task can be claimed depends on the market's entries. */
export const rowsOfLists = ['task', 'entries'] as const

const filters: Readonly<Record<TaskList['of'], string>> = {
  open: `and ${isClaimable}`,
  recent: '',
  poster: 'and t.poster = $3',
  worker: 'and t.worker = $3',
}

const early = `'\\x${textMarks.early}'::bytea`
const late = `'\\x${textMarks.late}'::bytea`

/** Builds a statement that names the tasks of a page in one row, with the cursor, by a range scan of an index of `task`. */
function buildStatement(of: TaskList['of'], limit: number): string {
  return `select c.number, c.hash, c."timestamp", c.halted, c.suspects, r.*
    from market.cursor c left join lateral (
      select string_agg(mark || case when early then ${early} else ${late} end, '') as marks,
        string_agg(int8send(key), '') as keys, min(phase_end) filter (where early) as end
      from (select t.key, t.mark, t.phase_end, ${isEarly} as early
        from market.task t where t.market = c.market ${filters[of]} and t.key < $2
        order by t.key desc ${formatLimit(limit)}) found) r on true
    where c.market = $1`
}

const textStatement = `
  select t.mark || case when wanted.late then ${late} else ${early} end as mark,
    t.json || case when wanted.late then t.late else t.early end as text
  from unnest($2::bigint[], $3::boolean[]) wanted(key, late) join market.task t on t.market = $1 and t.key = wanted.key`
