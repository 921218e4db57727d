import type { At, FoundTask, MarketReader, SearchPage } from '@svc/chain'
import type { Market } from '@svc/protocol'
import { type FoldedTask, parseEntity } from '@svc/protocol/internal/fold'
import { maxRanked, type SearchQuery, type SearchSort } from '@svc/protocol/internal/tasks'
import type { Sql } from 'postgres'
import { marketNumber, toHex } from './cursor.ts'
import { areEntriesClosed } from './phases.ts'
import { toTaskSnapshot } from './publicRecords.ts'
import { computeWindow, foldAccents, hashWindow, type SearchOrder, windowBits, windowShifts } from './searchRows.ts'
import { loadCommonWords, loadKnownWords, remember } from './searchWords.ts'
import { toPgArray } from './sql.ts'
import { rowsOfLists } from './textLists.ts'
import { assertUsable, type Usability } from './unavailable.ts'

/**
 * The tasks that every search looks at one by one first: common words have enough matches among them. The newest are stored
 * together, so that they take less time.
 */
const nearRows = { newest: 512, others: 256 } as const

/** The most tasks that a search looks at one by one, if it has no words, or words that cannot be looked up by window. */
const maxScanned = 2_000

/** With more tasks than these in a window, the other words are not rare there, and all words are looked up in the next window. */
const maxCandidates = 100

/** The level of the window that each step of a walk looks into. */
const stepLevels: readonly number[] = [0, 0, 1, 1, ...Array<number>(20).fill(2)]

/** A window of the next level has at least this many times as many tasks. If so many more matches are not needed, the level stays. */
const windowGrowth = 4

/** From this step on, tasks are far from the start of the order. */
const farStep = stepLevels.indexOf(2)

/**
 * The same for the beginning of a word, which windows cannot look up: every task with the other words is looked at. The page ends
 * after the last step.
 */
const prefixLevels: readonly number[] = [0, 0, 1]

/** With so many matches by relevance, those that are far from the newest are left out. */
const minRanked = 40

/** The most matches after the last step, where words must be rare. With more of them, the page ends. */
const maxRest = 2_000

/** The column of each order. Relevance is computed, for the newest matches. */
const orders: Readonly<Record<SearchSort, Order>> = {
  newest: { name: 'newest', column: 'key' },
  relevance: { name: 'newest', column: 'key' },
  pay: { name: 'pay', column: 'pay' },
  payPerHour: { name: 'rate', column: 'rate' },
  closing: { name: 'closing', column: 'closing' },
}

interface Order {
  /** Of the window. */
  name: SearchOrder
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
 * by window, and an index intersects the lists of its words in each window.
 */
export function createSearch(sql: Sql): NonNullable<MarketReader['search']> {
  const commonWords = remember((market) => loadCommonWords(sql, market))
  const knownWords = remember((market) => loadKnownWords(sql, market))

  async function searchOnce(market: Market, query: SearchQuery): Promise<At<Omit<SearchPage, 'suggestion'>>> {
    const { text, values } = buildSearchStatement(market, query, await commonWords.get(market))
    const rows = await sql.unsafe<SearchRow[]>(text, values, { prepare: true })
    const [first] = rows
    assertUsable(market, first, rowsOfLists)
    const found = rows.filter(({ key }) => key !== null)
    const page = found.slice(0, query.limit)
    const block = { number: BigInt(first.number), hash: toHex(first.hash), timestamp: Number(first.timestamp) }
    commonWords.forgetBefore(market, block.number)
    knownWords.forgetBefore(market, block.number)
    return { found: page.map(toFoundTask), next: findNext(query, found, first), block }
  }

  /** Corrects words that find nothing. What is suggested finds something with the same filters. */
  async function suggest(market: Market, query: SearchQuery): Promise<string | null> {
    const { words, after } = query
    if (words === undefined || after !== undefined || hasOperators(words)) return null
    const corrected = (await knownWords.get(market)).correct(cleanWords(words))
    if (corrected === null) return null
    const { found } = await searchOnce(market, { ...query, words: corrected, limit: 1 })
    return found.length > 0 ? corrected : null
  }

  return async (market, query) => {
    const page = await searchOnce(market, query)
    const isEmpty = page.found.length === 0 && page.next === null
    return { ...page, suggestion: isEmpty ? await suggest(market, query) : null }
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
  task: toTaskSnapshot(parseEntity(state) as FoldedTask, until),
  title,
  excerpt,
  tags: tags === '' ? [] : tags.split(' '),
})

/** Collects the values of a statement: `$1`, `$2`, … */
function createParameters() {
  const values: (string | number)[] = []
  return { values, add: (value: string | number, type: string) => `$${values.push(value)}::${type}` }
}

/** Builds the one statement of a search. Lists of `common` words are not read if there are others. Public for the bench, which runs it without this reader. */
export function buildSearchStatement(
  market: Market,
  query: SearchQuery,
  common: readonly string[] = [],
): { text: string; values: (string | number)[] } {
  const { values, add } = createParameters()
  const own = add(marketNumber(market), 'smallint')
  const { words, tags, sort, after, limit } = query
  const order = orders[sort]
  const isRanked = sort === 'relevance'
  const conditions = buildConditions(query, add)
  const prefix = splitPrefix(query)
  const hasWords = words !== undefined || tags.length > 0
  // All pages by relevance rank the same matches: the newest up to the one that was the newest for the first page.
  const start = isRanked ? after && { value: after.newest + 1n, task: after.newest + 1n } : after
  const walk: Walk = {
    own,
    order,
    // Only a walk needs it: a parameter without a use is an error.
    upperBound: hasWords ? buildUpperBound(query, order, add) : '',
    lowerBound: buildLowerBound(query, order, add),
    position: start ? buildPosition(order, start, add) : buildStart(query, order, add),
    where: conditions.map((each) => ` and ${each}`).join(''),
    wanted: isRanked ? maxRanked : limit + 1,
    least: isRanked ? minRanked : limit + 1,
    isUncertain: hasOperators(words ?? '') || (prefix?.before === '' && tags.length === 0),
    isPrefix: prefix !== null,
  }
  const source = hasWords
    ? walkWindows(walk, selectWordQuery(query, add), add(toPgArray([...common]), 'text[]'))
    : scanOrder(walk)
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
          not (select closed from c) and t.phase_end >= (select "timestamp" from c) as is_claimable
        from market.search t where t.market = ${own}
          and t.key = any(array(select key from hits order by value desc, key desc limit ${walk.wanted}))) ranked
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
    ...(claimable ? [`not (select closed from c)`, `t.phase_end >= (select "timestamp" from c)`] : []),
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
export function buildWordQuery({ words, tags }: Pick<SearchQuery, 'words' | 'tags'>, add: Add): string {
  const parts = tags.map((tag) => `${add(`'@${tag}'`, 'tsquery')}`)
  if (words !== undefined) {
    const given = add(cleanWords(words), 'text')
    const [stems, plain] = [toTsquery('english', given), toTsquery('simple', given)]
    parts.push(`(case when numnode(${stems}) > 0 then ${stems} else ${plain} end)`)
  }
  return parts.join(' && ')
}

/**
 * Selects the words and tags as a `tsquery` `q`, and as `driver` the part of it that can be looked up: all but the beginning of a
 * word, whose completions can be most of the index.
 */
function selectWordQuery(query: SearchQuery, add: Add): string {
  const prefix = splitPrefix(query)
  if (!prefix) return `select q, q as driver from (select ${buildWordQuery(query, add)} as q) sure offset 0`
  const sure = query.tags.map((tag) => `${add(`'@${tag}'`, 'tsquery')}`)
  if (prefix.before !== '') sure.push(toTsquery('english', add(cleanWords(prefix.before), 'text')))
  const last = add(cleanWords(prefix.last), 'text')
  const driver = sure.join(' && ') || `''::tsquery`
  return `select driver && (${toTsquery('english', last)} || (quote_literal(lower(${last})) || ':*')::tsquery) as q,
      driver from (select ${driver} as driver) sure offset 0`
}

const toTsquery = (language: 'english' | 'simple', text: string) =>
  `websearch_to_tsquery('pg_catalog.${language}', ${text})`

const cleanWords = (words: string) => foldAccents(words).replaceAll('\0', ' ')

/** Whether words are excluded, alternatives or a phrase. */
const hasOperators = (words: string) => /"|(^|\s)-|\bor\b/i.test(words)

/** Splits off the last word, if it may be the beginning of a word. */
function splitPrefix({ words = '', prefix }: SearchQuery): { before: string; last: string } | null {
  const found = prefix && !hasOperators(words) ? /^(.*?)([\p{L}\p{N}]{2,})$/su.exec(words) : null
  return found && { before: (found[1] ?? '').trim(), last: found[2] ?? '' }
}

/** The parts of a statement that both ways to search share. */
interface Walk {
  own: string
  order: Order
  /** Conditions on the windows of rows `t`: outside of them nothing can match. */
  upperBound: string
  lowerBound: string
  /** The condition that rows `t` come after the previous page, or on the first page after the start. */
  position: string
  where: string
  wanted: number
  /** With so many results, none are looked for far from the start of the order. */
  least: number
  /** No word is sure to occur in every match, so that windows cannot be used. */
  isUncertain: boolean
  /** The last word may be the beginning of a word. */
  isPrefix: boolean
}

/** The filters on the value that the order sorts by, as conditions on its window: the largest that can match. */
function buildUpperBound({ maxPay, closesAfter, claimable }: SearchQuery, { name }: Order, add: Add): string {
  const largest = name === 'pay' ? maxPay : name === 'closing' ? closesAfter && BigInt(-closesAfter) : undefined
  // In the order by closing, tasks whose claims have closed come first.
  const open = name === 'closing' && claimable ? ` and t.closing_window <= ${toClosingWindow(timeOfBlock)}` : ''
  return largest ? `${open} and t.${name}_window <= ${add(computeWindow[name](largest), 'integer')}` : open
}

/** The same for the smallest. */
function buildLowerBound({ minPay, closesBefore }: SearchQuery, { name }: Order, add: Add): string {
  const smallest = name === 'pay' ? minPay : name === 'closing' ? closesBefore && BigInt(-closesBefore) : undefined
  return smallest ? ` and t.${name}_window >= ${add(computeWindow[name](smallest), 'integer')}` : ''
}

const timeOfBlock = `(select "timestamp" from c)`
const toClosingWindow = (time: string) => `-ceil(${time} / ${2 ** windowBits}.0)::integer`

/**
 * The place in the order where the first page starts. In a large market, a window has many tasks: those at its top whose values are
 * too large are not looked at.
 */
function buildStart({ maxPay, closesAfter = 0, claimable }: SearchQuery, { name, column }: Order, add: Add): string {
  const startAt = (window: string, value: string) => ` and (t.${name}_window, t.${column}) <= (${window}, ${value})`
  if (name === 'pay' && maxPay !== undefined)
    return startAt(add(computeWindow.pay(maxPay), 'integer'), add(String(maxPay), 'numeric'))
  if (name !== 'closing' || !(claimable || closesAfter)) return ''
  const after = add(closesAfter, 'bigint')
  const time = claimable ? `greatest(${timeOfBlock}, ${after})` : after
  return startAt(toClosingWindow(time), `-${time}::numeric`)
}

function buildPosition({ name, column }: Order, { value, task }: { value: bigint; task: bigint }, add: Add): string {
  const [window, key] = [add(computeWindow[name](value), 'integer'), add(String(task), 'bigint')]
  return column === 'key'
    ? ` and (t.${name}_window, t.key) < (${window}, ${key})`
    : ` and (t.${name}_window, t.${column}, t.key) < (${window}, ${add(String(value), 'numeric')}, ${key})`
}

/** Selects the next rows of the order one by one, with whether each is a match. */
function selectNear({ own, order: { name, column }, lowerBound, position }: Walk, match: string, rows: number): string {
  const columns = [...new Set([`${name}_window`, column, 'key'])].map((each) => `t.${each} desc`)
  return `select t.key, t.${column} as value, t.${name}_window as at, (${match}) as hit from market.search t
      where t.market = ${own}${lowerBound}${position} order by ${columns.join(', ')} limit ${rows}`
}

/**
 * Finds matches in the order. First it looks at tasks one by one, which finds enough for common words. Then it goes on window by
 * window, and the windows grow: the fewer matches there were, the more tasks the next window has. So the work depends on how many
 * results are wanted and not on how many tasks there are. After some windows words must be rare, and all matches are asked for.
 */
function walkWindows(walk: Walk, words: string, common: string): string {
  const { own, order, upperBound, lowerBound, where, wanted, least, isUncertain, isPrefix } = walk
  const levels = isPrefix ? prefixLevels : stepLevels
  const { name, column } = order
  const window = `t.${name}_window`
  const isMatch = `(t.words @@ (select q from asked)) is true`
  const rows = isUncertain ? maxScanned : nearRows[name === 'newest' ? name : 'others']
  const level = `(array[${levels.join(', ')}])[place + 1]`
  const shift = `(array[${windowShifts[name].join(', ')}])[${level} + 1]`
  return `asked as materialized (select q, lexemes, coalesce(
        (select array_agg(lexeme) from unnest(lexemes) lexeme where lexeme <> all(${common})), lexemes) as drivers
      from (select q, ${selectLexemes('driver')} as lexemes from (${words}) given offset 0) known),
    near as materialized (${selectNear(walk, `${isMatch}${where}`, rows)}),
    edge as materialized (select value, key, at from near order by value, key limit 1),
    walk(at, steps, place, candidates, found, keys, sorted) as (
      select edge.at, case when lexemes is null then ${levels.length} else 0 end, 0, 0::bigint, met.found, '{}'::bigint[], '{}'::numeric[]
      from edge, asked, (select count(*) as rows, count(*) filter (where hit) as found from near) met
      where met.rows = ${rows} and met.found < ${wanted}
      union all
      select ((next.at >> next.shift) << next.shift) - 1, steps + 1,
        place + (cardinality(hit.keys) * ${windowGrowth} < ${wanted} - found - cardinality(hit.keys))::integer,
        hit.candidates, found + cardinality(hit.keys), hit.keys, hit.sorted
      from walk cross join lateral (
          select ${window} as at, ${shift} as shift, ${level} as level from market.search t
          where t.market = ${own} and ${window} <= walk.at${upperBound}${lowerBound} order by ${window} desc limit 1) next
        cross join lateral (
          select count(*) as candidates, coalesce(array_agg(key) filter (where hit), '{}') as keys,
            coalesce(array_agg(value) filter (where hit), '{}') as sorted
          from (select t.key, t.${column}::numeric as value, ${isMatch} and ${window} <= walk.at
              and (t.${column}, t.key) < (select value, key from edge)${where} as hit
            from market.search t where ${matchWindow(own, order)} offset 0) candidate offset 0) hit
      where found < case when steps < ${farStep} then ${wanted} else ${least} end and steps < ${levels.length}),
    last as materialized (
      select at, found < ${least} and steps = ${levels.length} as is_rare, candidates from walk order by at limit 1),
    rest as materialized (
      select t.key, t.${column}::numeric as value from market.search t
      where ${isPrefix ? 'false' : '(select is_rare from last)'} and t.words @@ (${selectRestQuery}) and ${isMatch}
        and t.market + 0 = ${own} and ${window} <= (select at from last) and (t.${column}, t.key) < (select value, key from edge)${where} limit ${maxRest}),
    is_cut as materialized (select count(*) = ${maxRest}${isPrefix ? ' or exists (select from last where is_rare)' : ''} as yes from rest),
    hits as (select key, value::numeric from near where hit
      union all select found.key, found.value from walk, unnest(keys, sorted) as found(key, value)
      union all select key, value from rest where not (select yes from is_cut)),
    stop as (select before.value::numeric, before.key from last, is_cut, edge, lateral (
        select edge.value, edge.key where last.at = edge.at
        union all select * from (select t.${column}, t.key from market.search t
          where t.market = ${own} and ${window} > last.at and last.at < edge.at
          order by ${[...new Set([window, `t.${column}`, 't.key'])].join(', ')} limit 1) seen) before where yes)`
}

/** The rows of a window that may match: the lists of words in its window of level 2 are short, however common the words are. */
function matchWindow(own: string, { name }: Order): string {
  const words = hashWindow(own, name, `'2'`, `next.at >> ${windowShifts[name][2]}`, 'lexeme')
  return `t.window_words @> (array(select ${words}
            from asked, unnest(case when candidates > ${maxCandidates} then lexemes else drivers end) lexeme)
          || case when next.level = 2 then '{}' else array[${hashWindow(own, name, 'next.level', 'next.at >> next.shift')}] end)`
}

/** The query that looks up all remaining matches. Without words that every match has, it is the whole query. */
const selectRestQuery = `select coalesce((select string_agg(quote_literal(lexeme), ' & ')::tsquery
          from unnest(case when candidates > ${maxCandidates} then lexemes else drivers end) lexeme), q)
        from asked, last`

/** The words that every match of a query has; null if some words are alternatives or excluded, or have quotes. */
const selectLexemes = (
  q: string,
) => `case when ${q}::text ~ '''''|\\\\' or regexp_replace(${q}::text, '''[^'']*''', '', 'g') ~ '[|!]' then null
    else nullif(array(select found[1] from regexp_matches(${q}::text, '''([^'']+)''(?!:)', 'g') found), '{}') end`

/** Without words, the rows of the order are looked at one by one. */
const scanOrder = (
  walk: Walk,
): string => `scanned as materialized (${selectNear(walk, `true${walk.where}`, maxScanned)}),
    hits as (select key, value from scanned where hit),
    stop as (select value, key from scanned where (select count(*) from scanned) = ${maxScanned} order by value, key limit 1)`
