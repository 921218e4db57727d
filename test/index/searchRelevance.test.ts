import {
  accounts,
  createScene,
  getChainTime,
  type Scene,
  sendApprovals,
  sendPost,
  sendTokens,
  sendTopUp,
} from '@svc/devnet'
import { parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IndexedWorld, startIndexedWorld } from '../harness/indexed.ts'

const market = 'micro'

/** Title, criteria and tags, oldest first. */
const tasks: readonly (readonly [title: string, criteria: string, tags?: readonly string[]])[] = [
  ['Translate a lease into Portuguese', 'Twelve pages, legal terms kept.', ['translation', 'lang:pt']],
  ['Translate a menu into German', 'Forty dishes with allergens.', ['translation', 'lang:de']],
  ['Caption ten photos', 'One sentence each, for a museum.', ['writing', 'images']],
  ['Transcribe an interview', 'Forty minutes of audio in Spanish, with time stamps.', ['audio', 'lang:es']],
  ['Review a smart contract', 'Find reentrancy and rounding errors in a vault.', ['solidity', 'security']],
  ['Fix a memory leak in a Node service', 'The heap grows under load. A test shows the fix.', ['typescript', 'node']],
  ['Write release notes', 'From forty commits of a TypeScript library, for users.', ['writing', 'typescript']],
  ['Design a logo for a bakery', 'Vector file, two colours, no stock images.', ['design']],
  ['Draw a map of the harbour', 'To scale, with the lighthouse and both piers.', ['design', 'images']],
  ['Set up IT for a small office', 'Five laptops, a printer and backups.', ['support']],
  ['Clean a spreadsheet of invoices', 'Three thousand rows, duplicates removed, totals checked.', ['data']],
  ['Scrape prices of bicycles', 'Daily, from three shops that allow it, as CSV.', ['data', 'python']],
  ['Proofread a thesis', 'English, eighty pages on photosynthesis.', ['writing', 'lang:en']],
  ['Record a voice-over', 'Ninety seconds, calm, for a video about a café.', ['audio', 'lang:en']],
  ['Label 500 images of birds', 'Boxes around each bird, with the species.', ['images', 'data']],
  ['Summarise a court ruling', 'Two pages in plain language, with citations.', ['legal', 'writing']],
  ['Build a landing page', 'One page, fast on a phone, accessible forms.', ['web', 'design']],
  ['Test a checkout on old phones', 'Ten devices, a report with pictures of each fault.', ['testing', 'web']],
  ['Tune a slow Postgres query', 'A join of three tables with an index that is not used.', ['sql']],
  ['Plan a birthday in Lisbon', 'Restaurant, photographer and a boat for twelve people.', ['planning']],
]

/** What a person types, and the title that must come first. */
const cases: readonly (readonly [query: string, title: string])[] = [
  ['lease', 'Translate a lease into Portuguese'],
  ['translate lease', 'Translate a lease into Portuguese'],
  ['translating leases', 'Translate a lease into Portuguese'],
  ['portuguese translation', 'Translate a lease into Portuguese'],
  ['legal terms', 'Translate a lease into Portuguese'],
  ['translation german', 'Translate a menu into German'],
  ['menu', 'Translate a menu into German'],
  ['allergens', 'Translate a menu into German'],
  ['photos', 'Caption ten photos'],
  ['photo', 'Caption ten photos'],
  ['captions museum', 'Caption ten photos'],
  ['interview', 'Transcribe an interview'],
  ['spanish audio', 'Transcribe an interview'],
  ['smart contract', 'Review a smart contract'],
  ['contracts review', 'Review a smart contract'],
  ['reentrancy', 'Review a smart contract'],
  ['solidity', 'Review a smart contract'],
  ['memory leaks', 'Fix a memory leak in a Node service'],
  ['node', 'Fix a memory leak in a Node service'],
  ['release notes', 'Write release notes'],
  ['typescript library', 'Write release notes'],
  ['logo', 'Design a logo for a bakery'],
  ['design bakery', 'Design a logo for a bakery'],
  ['map', 'Draw a map of the harbour'],
  ['lighthouse', 'Draw a map of the harbour'],
  ['IT', 'Set up IT for a small office'],
  ['laptop', 'Set up IT for a small office'],
  ['invoice', 'Clean a spreadsheet of invoices'],
  ['python', 'Scrape prices of bicycles'],
  ['bicycle price', 'Scrape prices of bicycles'],
  ['proofreading', 'Proofread a thesis'],
  ['photosynthesis', 'Proofread a thesis'],
  ['cafe', 'Record a voice-over'],
  ['"voice-over"', 'Record a voice-over'],
  ['birds images', 'Label 500 images of birds'],
  ['images -birds -map -logo', 'Caption ten photos'],
  ['ruling', 'Summarise a court ruling'],
  ['landing page', 'Build a landing page'],
  ['postgres', 'Tune a slow Postgres query'],
  ['lisbon or porto', 'Plan a birthday in Lisbon'],
]

let world: IndexedWorld

beforeAll(async () => {
  world = await startIndexedWorld({
    fill: async (client, deployments) => {
      const poster = accounts.ada
      const scene: Scene = createScene(client, deployments, market)
      await sendTokens(client, deployments, poster.address, {
        tok: parseUnits('900000', 18),
        usdc: parseUnits('900', 6),
      })
      await sendApprovals(scene, poster)
      await sendTopUp(scene, poster, parseUnits('800', 6))
      const { minDuration: duration, claimCutoff } = scene.params
      for (const [title, criteria, tags = []] of tasks) {
        const claimDeadline = (await getChainTime(client)) + claimCutoff + 36_000
        const amounts = [parseUnits('100', 18)]
        await sendPost(
          scene,
          { poster, text: `${title}\n\n${criteria}`, titles: ['All of it'], tags, amounts, duration, claimDeadline },
          0n,
        )
      }
      return []
    },
  })
  await world.reachedHead()
}, 120_000)
afterAll(() => world?.stop())

test('while people type, the last word may be the beginning of a word', async () => {
  for (const words of [
    'trans',
    'translate le',
    'translate leas',
    'the harb',
    'solid',
    'cafe',
    'IT',
    'reentrancy and rou',
  ]) {
    const query = {
      words,
      prefix: true,
      tags: [],
      funded: false,
      claimable: true,
      sort: 'relevance',
      limit: 20,
    } as const
    expect((await world.indexed.search(market, query)).found.length, words).toBeGreaterThan(0)
    if (words === 'translate le') expect((await world.indexed.search(market, query)).found[0]?.title).toContain('lease')
  }
})

test.each([
  ['portugese', 'portuguese'],
  ['translte lease', 'translate lease'],
  ['bicyles', 'bicycles'],
  ['landng page', 'landing page'],
])('%s finds nothing, and %s is suggested', async (words, suggestion) => {
  const query = { words, tags: [], funded: false, claimable: true, sort: 'relevance', limit: 5 } as const
  expect(await world.indexed.search(market, query)).toMatchObject({ found: [], next: null, suggestion })
  expect((await world.indexed.search(market, { ...query, words: suggestion })).suggestion).toBeNull()
})

test.each([
  // Not similar to anything.
  { words: 'zzzzzz' },
  // Similar words exist, but no task of theirs has the tag or enough pay.
  { words: 'portugese', tags: ['design'] },
  { words: 'portugese', minPay: parseUnits('101', 18) },
  // What people ask for this way is meant as it is.
  { words: '"portugese"' },
  { words: 'portugese -lease' },
])('nothing is suggested for %o', async (given) => {
  const query = { tags: [], funded: false, claimable: true, sort: 'relevance', limit: 5, ...given } as const
  expect(await world.indexed.search(market, query)).toMatchObject({ found: [], suggestion: null })
})

test.each(cases)('%s finds %s first', async (words, title) => {
  const query = { words, tags: [], funded: false, claimable: true, sort: 'relevance', limit: 5 } as const
  const { found } = await world.indexed.search(market, query)
  expect(found.map((each) => each.title)[0]).toBe(title)
})
