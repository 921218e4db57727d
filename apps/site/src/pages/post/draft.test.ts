import { parseTaskTerms } from '@svc/protocol'
import { expect, test } from 'vitest'
import { buildPostTaskInput } from './buildTerms.ts'
import { emptyDraft, findProblems, type PostDraft, readAmount, readTags, steps, sumMilestones } from './draft.ts'

const price = { usdPerTok: 0.0025, description: '' }
const draft: PostDraft = {
  ...emptyDraft,
  title: 'Draw a map of the harbour',
  criteria: 'Every pier, to scale.',
  milestones: [
    { title: 'A sketch', amount: '300', days: '2' },
    { title: 'The map', amount: '1,700.5', days: '36 hours' },
  ],
}
const names = (step: (typeof steps)[number], of: PostDraft) => Object.keys(findProblems(step, of, 'standard', price))

test('an empty draft stops at every step that asks for something, and a complete one at none', () => {
  expect(steps.map((step) => names(step, emptyDraft))).toEqual([
    ['title', 'criteria'],
    ['title-0', 'amount-0', 'days-0'],
    [],
    [],
  ])
  expect(steps.flatMap((step) => names(step, draft))).toEqual([])
})

test.each<[string, Partial<PostDraft>, (typeof steps)[number], string]>([
  ['a tag of other letters', { tags: 'maps, über' }, 'describe', 'tags'],
  ['nine tags', { tags: 'a,b,c,d,e,f,g,h,i' }, 'describe', 'tags'],
  ['a review shorter than the market allows', { reviewHours: '2' }, 'audience', 'reviewHours'],
  ['claims open for longer than the market allows', { claimDays: '31' }, 'audience', 'claimDays'],
  ['four revisions', { revisions: '4' }, 'audience', 'revisions'],
  ['a store that is not an address', { store: '0x12' }, 'audience', 'store'],
  ['a pay of zero', { milestones: [{ title: 'A', amount: '0', days: '2' }] }, 'milestones', 'amount-0'],
  ['an hour to do it', { milestones: [{ title: 'A', amount: '5', days: '1 hour' }] }, 'milestones', 'days-0'],
])('%s is named at its field', (_, change, step, field) => {
  expect(names(step, { ...draft, ...change })).toEqual([field])
})

test('dollars become whole TOK at the price, and nothing without one', () => {
  expect(readAmount('$1,250.50', 'usd', price)).toBe(500_200n * 10n ** 18n)
  expect(readAmount('20', 'usd', null)).toBeNull()
  expect(['-3', 'many', ''].map((typed) => readAmount(typed, 'usd', price))).toEqual([null, null, null])
})

test('tags are read as people type them', () => {
  expect(readTags(' #Old photos, lang:PT,, old-photos')).toEqual(['old-photos', 'lang:pt'])
})

test('the terms are those that were typed, and the money is their sum', () => {
  const signing = () => ({
    chainId: 8453,
    market: 'standard' as const,
    taskRegistry: `0x${'1'.repeat(40)}` as const,
    asset: `0x${'2'.repeat(40)}` as const,
  })
  const poster = `0x${'3'.repeat(40)}` as const
  const context = { signing, poster, now: 1_800_000_000, nonce: 7n }
  const store = {
    address: `0x${'4'.repeat(40)}`,
    statement: { message: 'I read with this key.', signature: `0x${'ab'.repeat(65)}` } as const,
  }
  const input = buildPostTaskInput(
    { ...draft, tags: 'Maps, lang:pt', claimPolicy: 'PERMIT' },
    'standard',
    price,
    context,
    store,
  )
  const terms = parseTaskTerms(input.terms)
  expect(terms.amounts).toEqual([300n * 10n ** 18n, 17_005n * 10n ** 17n])
  expect(terms.durations).toEqual([172_800n, 129_600n])
  expect(terms.store.toLowerCase()).toBe(store.address)
  expect(String(input.text)).toContain('I read with this key.')
  expect(String(input.text)).toContain('"tags":["maps","lang:pt"]')
  expect(input.fundAmountTokWei).toBe(String(sumMilestones(draft, price)))
  expect(buildPostTaskInput({ ...draft, fundNow: false }, 'standard', price, context).fundAmountTokWei).toBe('0')
  expect(String(input.text)).toContain('Every pier, to scale.')
})
