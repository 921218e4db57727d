import { expect, test } from 'vitest'
import { buildFeedPath, buildLastingQuery, buildSearchInput, isFiltered, readRange, readSearch } from './search.ts'

const at = { market: 'standard', usdPerTok: 0.0025, now: 1_000_000 } as const
const build = (query: string, circumstances: Parameters<typeof buildSearchInput>[1] = at) =>
  buildSearchInput(readSearch(new URLSearchParams(query)), circumstances)

test('an empty query is the newest tasks, and words are ranked by relevance', () => {
  expect(build('')).toEqual({ market: 'standard', sort: 'newest' })
  expect(build('q=old%20photos')).toEqual({ market: 'standard', sort: 'relevance', q: 'old photos' })
  expect(build('q=old&sort=pay')).toMatchObject({ sort: 'pay' })
  expect(build('sort=relevance')).toMatchObject({ sort: 'newest' })
})

test('every filter reaches the API', () => {
  const query =
    'tags=lang:pt,rust,rust&pays=5-20&funded=true&claimPolicy=PERMIT&closes=3&minPosterScore=10&show=waiting&sort=closing'
  expect(build(query)).toEqual({
    market: 'standard',
    sort: 'closing',
    tags: 'lang:pt,rust',
    minPayTokWei: '2000000000000000000000',
    maxPayTokWei: '8000000000000000000000',
    funded: 'true',
    claimPolicy: 'PERMIT',
    status: 'waiting',
    closesBefore: 1_000_800 + 3 * 86_400,
    minPosterScore: 10,
  })
  expect(isFiltered(readSearch(new URLSearchParams(query)))).toBe(true)
})

test('a search can be followed as a feed', () => {
  expect(buildFeedPath(build('q=old%20maps&tags=rust&closes=3&sort=pay'))).toBe(
    '/feeds/tasks.atom?market=standard&q=old+maps&tags=rust',
  )
})

test('the link of a saved search restores its range of pay and its state, at any price', () => {
  const input = build('q=maps&pays=5-20&funded=true&show=waiting')
  const restored = build(buildLastingQuery(input), { ...at, usdPerTok: null })
  expect(restored).toEqual(input)
  expect(isFiltered(readSearch(new URLSearchParams('minPayTokWei=5')))).toBe(true)
  // A choice on the page replaces it.
  expect(build('pays=5-&maxPayTokWei=7')).toEqual(build('pays=5-'))
  expect(build('show=all&status=waiting')).not.toHaveProperty('status')
  expect(build('minPayTokWei=1e9&maxPayTokWei=-1')).toEqual({ market: 'standard', sort: 'newest' })
})

test('dollars are not compared without a price', () => {
  expect(build('pays=5-20', { ...at, usdPerTok: null })).toEqual({ market: 'standard', sort: 'newest' })
})

test('what cannot be understood is left out', () => {
  const query = `pays=cheap&closes=-1&minPosterScore=1e9&claimPolicy=ME&sort=best&funded=1&tags=,,&q=${'x'.repeat(300)}`
  expect(build(query)).toEqual({ market: 'standard', sort: 'relevance', q: 'x'.repeat(200) })
  expect(isFiltered(readSearch(new URLSearchParams('sort=pay&show=waiting')))).toBe(false)
})

test.each([
  ['20-', { min: 20, max: null }],
  ['-5', { min: 0, max: 5 }],
  ['5-20', { min: 5, max: 20 }],
  ['-', null],
  ['5', null],
  ['a-b', null],
])('%s is the range %o', (text, range) => expect(readRange(text)).toEqual(range))
