import type { At, FoundTask, MarketReader, SearchPage } from '@svc/chain'
import { maxRanked, type SearchQuery, type SearchSort } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { type FoldedTask, parseEntity } from '@svc/protocol/fold'
import type { Sql } from 'postgres'
import { marketNumber, toHex } from './cursor.ts'
import { areEntriesClosed, meetsPosterCondition } from './phases.ts'
import { toPublicTask } from './publicRecords.ts'
import { computeWindow, foldAccents, windowBits } from './searchRows.ts'
import { rowsOfLists } from './textLists.ts'
import { assertUsable, type Usability } from './unavailable.ts'

/** The most windows of an order that one search with words looks into before it asks for all other matches at once. */
const maxWindows = 4

/** The most of those other matches. With more of them, the page ends and the next one looks into further windows. */
const maxRest = 2_000

/** The most rows that one search without words looks at. */
const maxScanned = 2_000

/** The column of each order. Relevance is computed, for the newest matches. */
const orders: Readonly<Record<SearchSort, Order>> = {
  newest: { name: 'newest', column: 'key' },
  relevance: { name: 'newest', column: 'key' },
  pay: { name: 'pay', column: 'pay' },
  payPerHour: { name: 'rate', column: 'rate' },
  closing: { name: 'closing', column: 'closing' },
}

interface Order {
  /** Of the window and its lexeme. */
  name: keyof typeof computeWindow
  column: 'key' | 'pay' | 'rate' | 'closing'
}

interface SearchRow extends Usability {
  number: string
  hash: Buffer
  timestamp: string
  /** Where the search stopped; null if it looked at everything. */
  stop_value: string | null
  stop_key: string | null
  top: string | null
  /** The found task. All of these are null if there is none. */
  key: string | null
  value: string | null
  state: string
  until: string | null
  title: string
  excerpt: string
  tags: string
}

/**
 * Creates the reader of searches. The work of one search is bounded, however many tasks match: it goes through its order window
 * by window, and the index of words intersects each window with the words.
 */
export function createSearch(sql: Sql): MarketReader['search'] {
  return async (market: Market, query: SearchQuery): Promise<At<SearchPage>> => {
    const { text, values } = buildSearchStatement(market, query)
    const rows = await sql.unsafe<SearchRow[]>(text, values, { prepare: true })
    const [first] = rows
    assertUsable(market, first, rowsOfLists)
    const found = rows.filter(({ key }) => key !== null)
    const page = found.slice(0, query.limit)
    const block = { number: BigInt(first.number), hash: toHex(first.hash), timestamp: Number(first.timestamp) }
    return { found: page.map(toFoundTask), next: findNext(query, found, first), block }
  }
}

function findNext({ limit, after }: SearchQuery, found: readonly SearchRow[], first: SearchRow): SearchPage['next'] {
  const newest = after?.newest ?? BigInt(first.top ?? 0)
  const last = found[limit - 1]
  if (found.length > limit && last) return { value: BigInt(last.value ?? 0), task: BigInt(last.key ?? 0), newest }
  if (first.stop_value === null || first.stop_key === null) return null
  return { value: BigInt(first.stop_value), task: BigInt(first.stop_key), newest }
}

const toFoundTask = ({ state, until, title, excerpt, tags }: SearchRow): FoundTask => ({
  task: { ...toPublicTask(parseEntity(state) as FoldedTask), claimableUntil: Number(until ?? 0) },
  title,
  excerpt,
  tags: tags === '' ? [] : tags.split(' '),
})

/** Collects the values of a statement: `$1`, `$2`, … */
function createParameters() {
  const values: (string | number)[] = []
  return { values, add: (value: string | number, type: string) => `$${values.push(value)}::${type}` }
}

/** Builds the one statement of a search. Public for the bench, which runs it without this reader. */
export function buildSearchStatement(
  market: Market,
  query: SearchQuery,
): { text: string; values: (string | number)[] } {
  const { values, add } = createParameters()
  const own = add(marketNumber(market), 'smallint')
  const { words, tags, sort, after, limit } = query
  const order = orders[sort]
  const isRanked = sort === 'relevance'
  const wanted = isRanked ? maxRanked : limit + 1
  const conditions = buildConditions(query, add)
  if (isRanked && after) conditions.push(`t.key <= ${add(String(after.newest), 'bigint')}`)
  const start = isRanked ? after && { value: after.newest, task: after.newest } : after
  const from = start && {
    window: () => add(computeWindow[order.name](start.value), 'integer'),
    value: () => add(String(start.value), 'numeric'),
    task: () => add(String(start.task), 'bigint'),
  }
  const hasLexemes = words !== undefined || tags.length > 0
  if (hasLexemes && from && !isRanked) conditions.push(`(t.${order.column}, t.key) < (${from.value()}, ${from.task()})`)
  const where = conditions.map((each) => ` and ${each}`).join('')
  const source = hasLexemes
    ? walkWindows({ own, order, from, where, wanted, claimable: query.claimable }, buildWordQuery(query, add))
    : scanOrder({ own, order, from, where, wanted, claimable: query.claimable })
  const position =
    isRanked && after
      ? `where (rank, key) < (${add(String(after.value), 'numeric')}, ${add(String(after.task), 'bigint')})`
      : ''
  const rank = isRanked
    ? `round(ts_rank(t.words, (select q from asked))::numeric * 1000000000)`
    : `t.${order.column}::numeric`
  const text = `with recursive c as materialized (
      select c.*, ${areEntriesClosed} as closed from market.cursor c where c.market = ${own}),
    ${source},
    page as (select * from (
        select t.key, ${rank} as rank, t.title, t.excerpt, t.tags, t.phase_end,
          not (select closed from c) and t.phase_end >= (select "timestamp" from c) and ${meetsPosterCondition} as is_claimable
        from market.search t where t.market = ${own} and t.key = any(array(select key from hits))) ranked
      ${position} order by rank desc, key desc limit ${limit + 1})
    select c.number, c.hash, c."timestamp", c.halted, c.suspects, stop.value::text as stop_value, stop.key as stop_key,
      (select max(key) from market.search s where s.market = ${own}) as top,
      page.key, page.rank::text as value, page.title, page.excerpt, page.tags,
      (select k.state from market.task k where k.market = c.market and k.key = page.key) as state,
      case when page.is_claimable then page.phase_end end as until
    from c left join stop on ${isRanked ? 'false' : 'true'} left join page on true
    order by page.rank desc, page.key desc`
  return { text, values }
}

type Add = ReturnType<typeof createParameters>['add']

/** The conditions besides words and tags, over a row `t` of `search`. */
function buildConditions(query: SearchQuery, add: Add): string[] {
  const { minPay, maxPay, funded, claimPolicy, claimable, closesAfter, closesBefore, minPosterScore } = query
  return [
    ...(claimable
      ? [`not (select closed from c)`, `t.phase_end >= (select "timestamp" from c)`, meetsPosterCondition]
      : []),
    ...(minPay === undefined ? [] : [`t.pay >= ${add(String(minPay), 'numeric')}`]),
    ...(maxPay === undefined ? [] : [`t.pay <= ${add(String(maxPay), 'numeric')}`]),
    ...(funded ? ['t.funded'] : []),
    ...(claimPolicy === undefined ? [] : [claimPolicy === 'PERMIT' ? 't.permit' : 'not t.permit']),
    ...(closesAfter === undefined ? [] : [`t.phase_end >= ${add(closesAfter, 'bigint')}`]),
    ...(closesBefore === undefined ? [] : [`t.phase_end <= ${add(closesBefore, 'bigint')}`]),
    ...(minPosterScore
      ? [
          `(select a.score from market.agent a where a.market = t.market and a.key = t.poster) >= ${add(minPosterScore, 'integer')}`,
        ]
      : []),
  ]
}

/** The words and tags as a `tsquery`. If all words are too common to be indexed, they must occur in the title as they are. */
function buildWordQuery({ words, tags }: SearchQuery, add: Add): string {
  const parts = tags.map((tag) => `${add(`'@${tag}'`, 'tsquery')}`)
  if (words !== undefined) {
    const given = add(foldAccents(words).replaceAll('\0', ' '), 'text')
    const [stems, plain] = ['english', 'simple'].map((each) => `websearch_to_tsquery('pg_catalog.${each}', ${given})`)
    parts.push(`(case when numnode(${stems}) > 0 then ${stems} else ${plain} end)`)
  }
  return parts.join(' && ')
}

/** The parts of a statement that both ways to search share. */
interface Walk {
  own: string
  order: Order
  /** The position to continue from. Each call adds a parameter, since Postgres refuses unused ones. */
  from: Readonly<Record<'window' | 'value' | 'task', () => string>> | undefined
  where: string
  wanted: number
  claimable: boolean
}

/** The window of tasks that close at the time of the block. */
const closingNow = `-ceil((select "timestamp" from c) / ${2 ** windowBits}.0)::integer`

/**
 * Finds matches in the order, window by window, until there are enough. After some windows without enough matches, words must be
 * rare, and all further matches are asked for at once.
 */
function walkWindows({ own, order: { name, column }, from, where, wanted, claimable }: Walk, words: string) {
  const window = `${name}_window`
  // In the order by closing, tasks whose claims have closed come first. They fill whole windows.
  const start = name === 'closing' && claimable ? ` and s.${window} <= ${closingNow}` : ''
  const next = (below: string) =>
    `select s.${window} as at from market.search s where s.market = ${own}${below} order by s.${window} desc limit 1`
  return `asked as materialized (select ${words} as q),
    walk(at, steps, found, keys) as (
      select null::integer, 0, 0, '{}'::bigint[]
      union all
      select near.at, steps + 1, found + cardinality(hit.keys), hit.keys
      from walk cross join lateral (
          select * from (${next(from ? ` and s.${window} <= ${from.window()}` : start)}) first where walk.at is null
          union all select * from (${next(` and s.${window} < walk.at`)}) later where walk.at is not null) near
        cross join lateral (select array(
          select t.key from market.search t
          where t.words @@ ((('''#${name}' || ${own} || '.' || near.at || '''')::tsquery) && (select q from asked))${where}) as keys offset 0) hit
      where found < ${wanted} and steps < ${maxWindows}),
    last as (select min(at) as at, max(steps) as steps, max(found) as found from walk),
    rest as materialized (
      select t.key from market.search t
      where (select steps = ${maxWindows} and found < ${wanted} from last)
        and t.words @@ (select q from asked) and t.market + 0 = ${own}${where}
        and t.${window} < (select at from last) limit ${maxRest}),
    is_cut as (select count(*) = ${maxRest} as yes from rest),
    hits as (select unnest(keys) as key from walk union all select key from rest where not (select yes from is_cut)),
    stop as (select (select min(t.${column}) from market.search t where t.market = ${own} and t.${window} = last.at) as value,
        0::bigint as key from last, is_cut where yes)`
}

/** Without words, the rows of the order are looked at one by one. */
function scanOrder({ own, order: { name, column }, from, where, wanted, claimable }: Walk): string {
  const window = `${name}_window`
  const columns = [...new Set([window, column, 'key'])].map((each) => `t.${each}`)
  const start = from && (column === 'key' ? [from.window(), from.task()] : [from.window(), from.value(), from.task()])
  return `scanned as materialized (
      select t.key, t.${column} as value, (true${where}) as hit from market.search t
      where t.market = ${own}${name === 'closing' && claimable ? ` and t.${window} <= ${closingNow}` : ''}${start ? ` and (${columns.join(', ')}) < (${start.join(', ')})` : ''}
      order by ${columns.map((each) => `${each} desc`).join(', ')} limit ${maxScanned}),
    hits as (select key from scanned where hit order by value desc, key desc limit ${wanted}),
    stop as (select value, key from scanned where (select count(*) from scanned) = ${maxScanned}
      order by value, key limit 1)`
}
