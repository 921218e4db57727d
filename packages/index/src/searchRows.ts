import { summarizeText } from '@svc/chain'
import { decodeTaskText, marketParams, markets } from '@svc/protocol'
import { taskScopeRegistryAbi } from '@svc/protocol/abis'
import type { FoldedTask } from '@svc/protocol/internal/fold'
import { findClaimEnd } from '@svc/protocol/internal/tasks'
import { decodeAbiParameters, encodeEventTopics } from 'viem'
import { toBytes } from './cursor.ts'
import { contractNumber } from './events.ts'
import { type AnySql, toPgArray, toPlainPgArray } from './sql.ts'

/** Tasks per window of the newest order, and seconds per window of the order by closing, as a power of two. */
export const windowBits = 12

/** A later end of claims counts as this one, so that its window is a 32-bit integer. */
const maxTime = 2 ** 40

/** Windows per doubling of an amount. */
const windowsPerDoubling = 16

const [textTopic] = encodeEventTopics({ abi: taskScopeRegistryAbi, eventName: 'TaskTextPublished' })

/** A change of a task that decides whether a search finds it. Null if it does not exist any more. */
export type TaskChange = readonly [number: string, task: FoldedTask | null]

/**
 * Writes the rows that a search finds for changed tasks: one for each open task that waits for a worker, none for any other. The
 * events of the tasks must be stored already.
 */
export async function saveSearchRows(sql: AnySql, market: number, changes: readonly TaskChange[]): Promise<void> {
  const waiting = changes.flatMap(([, task]) => findWaiting(market, task) ?? [])
  const kept = new Set(waiting.map(({ task }) => String(task.number)))
  const gone = changes.map(([number]) => number).filter((number) => !kept.has(number))
  if (gone.length > 0)
    await sql`delete from search where market = ${market} and key = any(${toPlainPgArray(gone)}::bigint[])`
  if (waiting.length === 0) return
  const texts = await loadTexts(sql, market, [...kept])
  const rows = waiting.flatMap((each) => {
    const text = texts.get(String(each.task.number))
    return text === undefined ? [] : [toSearchRow(each, text)]
  })
  if (rows.length > 0) await upsertRows(sql, market, rows)
}

interface WaitingTask {
  task: FoldedTask
  until: number
}

function findWaiting(market: number, task: FoldedTask | null): WaitingTask | null {
  const name = markets[market]
  if (!task || !name || task.scope !== 'OPEN') return null
  const until = findClaimEnd(task, marketParams[name])
  return until === null ? null : { task, until }
}

async function loadTexts(sql: AnySql, market: number, numbers: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ task: string; data: string }[]>`
    select task, encode(data, 'hex') as data from event
    where market = ${market} and task = any(${toPlainPgArray(numbers)}::bigint[])
      and contract = ${contractNumber('taskScopeRegistry')} and substring(topics for 32) = ${toBytes(textTopic)}`
  return new Map(rows.map(({ task, data }) => [task, decodeAbiParameters([{ type: 'string' }], `0x${data}`)[0]]))
}

/** Postgres stores every character in text except this one. */
const withoutNul = (text: string) => text.replaceAll('\0', '\ufffd').toWellFormed()

/** The columns of a row, in the order of the insert. */
function toSearchRow({ task, until }: WaitingTask, text: string) {
  const decoded = decodeTaskText(withoutNul(text))
  const { criteria, milestones } = decoded
  const { title, excerpt, tags } = summarizeText(decoded)
  const seconds = task.milestones.reduce((sum, { duration }) => sum + BigInt(duration), 0n)
  const rate = (task.total * 3_600n) / (seconds || 1n)
  return [
    String(task.number),
    task.poster.slice(2),
    String(until),
    String(task.total),
    String(rate),
    String(-until),
    String(computeWindow.newest(task.number)),
    String(computeWindow.pay(task.total)),
    String(computeWindow.rate(rate)),
    String(computeWindow.closing(BigInt(-until))),
    String(task.funded >= task.total),
    String(task.claimPolicy === 'PERMIT'),
    title,
    excerpt,
    tags.join(' '),
    foldAccents(title),
    // The key of a tag says what the value is, but people search for the value.
    foldAccents(tags.join(' ').replaceAll(':', ' ')),
    foldAccents([criteria, ...milestones].join('\n')),
  ] as const
}

type SearchRow = ReturnType<typeof toSearchRow>

/** Larger amounts have larger windows. */
const amountWindow = (amount: bigint) => Math.floor(Math.log2(Number(amount) + 1) * windowsPerDoubling)

/** Computes the window of a value of each order. A larger value never has a smaller window. */
export const computeWindow = {
  newest: (task: bigint) => Number(task >> BigInt(windowBits)),
  pay: amountWindow,
  rate: amountWindow,
  closing: (negated: bigint) => -Math.ceil(Math.min(Number(-negated), maxTime) / 2 ** windowBits),
}

export type SearchOrder = keyof typeof computeWindow

const searchOrders: readonly SearchOrder[] = ['newest', 'pay', 'rate', 'closing']

/** The levels of windows of each order: a window of a level is a window of level 0, shifted by so many bits. */
export const windowShifts: Readonly<Record<SearchOrder, readonly [number, number, number]>> = {
  newest: [0, 2, 4],
  pay: [0, 2, 4],
  rate: [0, 2, 4],
  closing: [0, 2, 5],
}

/** Removes accents, so that "cafe" finds "café". Applied to texts and to what is searched. */
export const foldAccents = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')

async function upsertRows(sql: AnySql, market: number, rows: readonly SearchRow[]): Promise<void> {
  const columns = names.map((_, index) => toPgArray(rows.map((row) => row[index] ?? null)))
  const sets = names.map((_, index) => `unnest($${index + 2}::text[])`)
  await sql.unsafe(
    `insert into search (market, key, poster, phase_end, pay, rate, closing, newest_window, pay_window, rate_window,
       closing_window, funded, permit, title, excerpt, tags, words, window_words)
     select $1::smallint, key::bigint, decode(poster, 'hex'), phase_end::bigint, pay::numeric, rate::numeric,
       closing::numeric, newest_window::integer, pay_window::integer, rate_window::integer, closing_window::integer,
       funded::boolean, permit::boolean, title, excerpt, tags, words, ${windowWords('$1')}
     from (select *, ${wordVector} as words from rows from (${sets.join(', ')}) as given(${names.join(', ')})) row
     on conflict (market, key) do update set funded = excluded.funded, phase_end = excluded.phase_end`,
    [market, ...columns],
  )
}

const names = [
  'key',
  'poster',
  'phase_end',
  'pay',
  'rate',
  'closing',
  'newest_window',
  'pay_window',
  'rate_window',
  'closing_window',
  'funded',
  'permit',
  'title',
  'excerpt',
  'tags',
  'title_words',
  'tag_words',
  'other_words',
] as const

/**
 * English stems, which leave other languages nearly as they are. The title and the tags also count as they are written: "IT" is
 * no word to a stemmer.
 */
const wordVector = `
  setweight(to_tsvector('pg_catalog.english', title_words), 'A') || setweight(to_tsvector('pg_catalog.simple', title_words), 'A') ||
  setweight(to_tsvector('pg_catalog.english', tag_words), 'B') || setweight(to_tsvector('pg_catalog.simple', tag_words), 'B') ||
  setweight(to_tsvector('pg_catalog.english', other_words), 'C') ||
  array_to_tsvector(coalesce((select array_agg('@' || tag) from unnest(string_to_array(tags, ' ')) tag where tag <> ''), '{}'))`

/** A window of an order in SQL, as a number: hashes are short, and a search compares the words themselves as well. */
export const hashWindow = (market: string, order: SearchOrder, level: string, window: string, word = ''): string =>
  `hashtext('${order}' || ${market} || '.' || ${level} || '.' || (${window})${word && ` || ' ' || ${word}`})`

/**
 * The windows of a row `words`, and its words in its largest windows. The list of a common word in the index has a large part of
 * all tasks; its lists by window are short, and one search needs few of them.
 */
export function windowWords(market: string): string {
  const windows = searchOrders.map((order) => {
    const [, middle, large] = windowShifts[order]
    const window = `${order}_window::integer`
    return {
      word: hashWindow(market, order, `'2'`, `${window} >> ${large}`, 'word'),
      plain: [hashWindow(market, order, `'0'`, window), hashWindow(market, order, `'1'`, `${window} >> ${middle}`)],
    }
  })
  return `array[${windows.flatMap(({ plain }) => plain).join(', ')}] ||
    array(select unnest(array[${windows.map(({ word }) => word).join(', ')}]) from unnest(tsvector_to_array(words)) word)`
}
