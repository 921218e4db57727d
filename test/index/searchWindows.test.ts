import type { SearchPage } from '@svc/chain'
import { createIndexReader } from '@svc/index'
import { maxRanked, type SearchQuery, searchSorts } from '@svc/protocol/internal/tasks'
import { createRandom } from '@svc/simulation/random'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noPrices } from '../../bench/scale/noPrices.ts'
import { fillTasks } from '../../bench/search/fill.ts'
import { dropDatabase, postgresServer } from '../harness/postgres.ts'
import { runs } from '../harness/runs.ts'

// A market with many windows in every order. The words, orders and filters are those of the bench.

const tasks = 8_000
const name = `search_windows_${process.pid}`
const seed = Date.now() % 2 ** 31
let sql: Sql

beforeAll(async () => {
  sql = await fillTasks({ url: postgresServer }, name, tasks, () => {})
}, 60_000)
afterAll(async () => {
  await sql?.end({ timeout: 1 })
  await dropDatabase(`${postgresServer}/${name}`)
})

/** What each order sorts by, without windows. */
const columns = { newest: 'key', relevance: 'key', pay: 'pay', payPerHour: 'rate', closing: 'closing' } as const

/** Finds the same tasks with one scan of the table. */
async function filterAll({
  words = '',
  prefix,
  minPay,
  maxPay,
  funded,
  claimable,
  sort,
}: SearchQuery): Promise<bigint[]> {
  const isPrefix = prefix && !/ -| or /.test(words)
  const rows = await sql.unsafe<{ key: string }[]>(
    `select key from market.search t where words @@ ${isPrefix ? `to_tsquery('simple', $1)` : `websearch_to_tsquery('simple', $1)`}
       and ($2::numeric is null or pay >= $2) and ($3::numeric is null or pay <= $3) and (not $4::boolean or funded)
       and (not $5::boolean or phase_end >= (select "timestamp" from market.cursor where market = 0))
     order by ${columns[sort]} desc, key desc`,
    [
      isPrefix ? `${words.replace(' ', ' & ')}:*` : words,
      minPay === undefined ? null : String(minPay),
      maxPay === undefined ? null : String(maxPay),
      funded,
      claimable,
    ],
  )
  return rows.map(({ key }) => BigInt(key))
}

test('all pages of a search through windows have exactly what one scan of the table finds', async () => {
  console.log(`seed ${seed}`)
  const random = createRandom(seed)
  const reader = createIndexReader(sql, noPrices)
  const word = () => `w${Math.floor(3_000 ** (random.below(1_000) / 1_000))}`
  for (let count = 0; count < runs(25); count++) {
    const query: SearchQuery = {
      words: random.pick([
        word(),
        `${word()} ${word()}`,
        `${word()} ${word()}`,
        `${word()} -${word()}`,
        `${word()} or ${word()}`,
      ]),
      tags: [],
      prefix: random.chance(0.3) || undefined,
      minPay: random.chance(0.3) ? 100n * 10n ** 18n : undefined,
      maxPay: random.chance(0.3) ? 5_000n * 10n ** 18n : undefined,
      funded: random.chance(0.3),
      claimable: random.chance(0.7),
      sort: random.pick(searchSorts),
      limit: random.pick([3, 20, 100]),
    }
    const expected = await filterAll(query)
    const found: bigint[] = []
    let next: SearchPage['next'] = null
    let pages = 0
    do {
      const page: SearchPage = await reader.search('standard', { ...query, after: next ?? undefined })
      found.push(...page.found.map(({ task }) => task.number))
      next = page.next
    } while (next && ++pages < 80)
    const asked = JSON.stringify(query, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    if (query.sort === 'relevance') {
      // The newest matches are ranked: all, or at least so many, or fewer for the beginning of a word.
      expect(new Set(found), asked).toEqual(new Set(expected.slice(0, found.length)))
      expect(found.length, asked).toBeLessThanOrEqual(maxRanked)
      if (!query.prefix) expect(found.length, asked).toBeGreaterThanOrEqual(Math.min(40, expected.length))
    } else expect(found, asked).toEqual(next ? expected.slice(0, found.length) : expected)
  }
})
