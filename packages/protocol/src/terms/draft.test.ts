import { expect, test } from 'vitest'
import { InvalidDurationError, parseDuration } from '../money/units.ts'
import {
  buildTermsFromDraft,
  changeTerms,
  type DraftContext,
  InvalidDraftError,
  parseDraftMilestones,
  parseTermsDraft,
} from './draft.ts'
import { InvalidTermsError, verifyTerms } from './terms.ts'

const poster = '0x00000000000000000000000000000000000000A1'
const worker = '0x00000000000000000000000000000000000000b2'
const now = 1_800_000_000
const context: DraftContext = {
  signing: (market) => ({
    chainId: 8453,
    market,
    taskRegistry: '0x00000000000000000000000000000000000000C3',
    asset: '0x00000000000000000000000000000000000000D4',
  }),
  poster,
  now,
  nonce: 7n,
}
const milestones = [{ title: 'A map', amount: '1,250.5 TOK', duration: '2 days' }]
const draft = { title: 'Draw a bridge', criteria: 'To scale.', milestones, store: 'none' }
const build = (json: unknown) => buildTermsFromDraft(parseTermsDraft(json), context)

test('a draft of four fields becomes terms with the defaults', () => {
  const terms = build(draft)
  expect(verifyTerms(terms)).toBe(true)
  expect(terms).toMatchObject({
    market: 'standard',
    poster,
    worker: null,
    scope: 'OPEN',
    claimPolicy: 'ANYONE',
    milestones: [{ title: 'A map', amountTokWei: 1_250_500_000_000_000_000_000n, durationSeconds: 172_800n }],
    reviewWindowSeconds: 259_200n,
    maxRevisions: 1,
    arbitrator: null,
    claimDeadline: BigInt(now + 259_200),
    nonce: 7n,
  })
})

test('every field of a draft counts', () => {
  const terms = build({
    ...draft,
    market: 'micro',
    poster: worker.toLowerCase(),
    worker: poster.toLowerCase(),
    claimWithin: '1 day 12 h',
    reviewWithin: '90 min',
    maxRevisions: 0,
    arbitrator: context.signing('micro').asset,
    claimPolicy: 'PERMIT',
    nonce: '9',
  })
  expect(terms).toMatchObject({
    market: 'micro',
    poster: worker,
    worker: poster,
    scope: 'PRIVATE',
    claimPolicy: 'PERMIT',
    reviewWindowSeconds: 5_400n,
    maxRevisions: 0,
    arbitrator: context.signing('micro').asset,
    claimDeadline: BigInt(now + 129_600),
    nonce: 9n,
  })
})

test.each([
  [{ ...draft, title: undefined }, 'title is missing.'],
  [{ ...draft, title: 'x'.repeat(121) }, 'title is too long: at most 120.'],
  [{ ...draft, milestones: [] }, 'milestones is empty.'],
  [{ ...draft, milestones: [{ title: 'A', duration: '2 days' }] }, 'Milestone 1, amount is missing.'],
  [
    { ...draft, milestones: [...milestones, { title: 'A', amount: '1,5', duration: '2 days' }] },
    'Milestone 2, amount: write TOK with at most 18 decimals, such as "1,250.5 TOK".',
  ],
  [
    { ...draft, milestones: [{ title: 'A', amount: '5', duration: '2' }] },
    'Milestone 1, duration: write a duration with its unit, such as "36 hours" or "2 days".',
  ],
  [
    { ...draft, milestones: [{ title: 'A', amount: '5', duration: '2 days', durationSeconds: 5 }] },
    'Milestone 1: there is no field "durationSeconds".',
  ],
  [{ ...draft, maxRevisions: 4 }, 'maxRevisions is too large: at most 3.'],
  [{ ...draft, maxRevisions: -1 }, 'maxRevisions must be at least 0.'],
  [{ ...draft, market: 'macro' }, 'market must be standard or micro.'],
  [{ ...draft, claimHours: 5 }, 'there is no field "claimHours".'],
  [{ ...draft, claimWithin: 5 }, 'claimWithin must be a string.'],
  ['a draft', 'The draft is not a JSON object.'],
])('what does not match is named, without its value: %#', (json, message) => {
  expect(() => build(json)).toThrow(new InvalidDraftError(message))
})

test('terms that the registry would refuse are told apart from drafts that do not match', () => {
  const late = { ...draft, claimWithin: '400 days' }
  expect(() => build(late)).toThrow(new InvalidTermsError('The claim deadline must be 1 h to 30 d ahead.'))
  expect(() => build(late)).not.toThrow(InvalidDraftError)
  const { poster: _, ...without } = context
  expect(() => buildTermsFromDraft(parseTermsDraft(draft), without)).toThrow(
    'poster is missing: name the wallet that pays.',
  )
})

test('no task is without a store because nobody thought of one', () => {
  const { store: _, ...silent } = draft
  expect(() => build(silent)).toThrow(/^store is missing: name the store of the market, or "none"/)
})

test('a change keeps the nonce and what it does not name', () => {
  const terms = build(draft)
  const changed = changeTerms(
    terms,
    { reviewWithin: '2 days', milestones: [{ ...milestones[0], amount: '5 TOK' }] },
    now,
  )
  expect(verifyTerms(changed)).toBe(true)
  expect(changed).toEqual({
    ...terms,
    reviewWindowSeconds: 172_800n,
    milestones: [{ ...terms.milestones[0], amountTokWei: 5n * 10n ** 18n }],
    criteriaHash: terms.criteriaHash,
    settlementDigest: changed.settlementDigest,
  })
  expect(changeTerms(terms, {}, now)).toEqual(terms)
  expect(() => changeTerms(terms, { poster: worker }, now)).toThrow(
    new InvalidDraftError('there is no field "poster".'),
  )
})

test('milestones are parsed on their own', () => {
  expect(parseDraftMilestones(milestones)).toEqual(build(draft).milestones)
  expect(() => parseDraftMilestones(undefined)).toThrow(new InvalidDraftError('milestones is missing.'))
})

test.each([
  ['36 hours', 129_600],
  ['36h', 129_600],
  ['1 day 12 h', 129_600],
  ['1d12h', 129_600],
  ['1.5 days', 129_600],
  ['2 weeks', 1_209_600],
  ['90 min', 5_400],
  ['1 Hour, 30 Minutes', 5_400],
  ['45 s', 45],
])('%s is a duration', (text, duration) => {
  expect(parseDuration(text)).toBe(duration)
})

test.each([
  '',
  '5',
  'days',
  '5 fortnights',
  '5 days or so',
  '-5 days',
  '5 days 3',
  '1e9 days',
  '9999999999 weeks',
  '5 monthss',
])('"%s" is not a duration', (text) => {
  expect(() => parseDuration(text)).toThrow(InvalidDurationError)
})

test('terms with a store carry the key of the poster, also when a counter-offer adds the store', () => {
  const store = context.signing('micro').asset
  const statement = { message: 'A sign-in.', signature: `0x${'12'.repeat(65)}` } as const
  expect(() => build({ ...draft, store })).toThrow(/key statement/)
  expect(build({ ...draft, store, statement }).statement).toEqual(statement)
  const offered = build(draft)
  expect(() => changeTerms(offered, { store }, now)).toThrow(/key statement/)
  expect(changeTerms(offered, { store, statement }, now).criteriaHash).not.toBe(offered.criteriaHash)
})
