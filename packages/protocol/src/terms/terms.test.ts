import fc from 'fast-check'
import { getAddress, maxUint256, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { runs } from '../../../../test/harness/runs.ts'
import { type Market, markets } from '../base/market.ts'
import { defaultReviewWindow, marketParams } from '../money/params.ts'
import { claimPolicies } from '../tasks/states.ts'
import { hashTaskText, TextTooLongError } from '../tasks/taskText.ts'
import { briefLimits } from '../work/briefLimits.ts'
import {
  buildTerms,
  findTermsProblems,
  formatTermsText,
  InvalidTermsError,
  sealTerms,
  type TermsDocument,
  type TermsDocumentJson,
  type TermsValues,
  termsDocument,
  termsWire,
  toSigningContext,
  toTaskTerms,
  verifyTerms,
} from './terms.ts'
import { computeSettlementDigest, type SigningContext } from './typedData.ts'

const now = 1_800_000_000
const account = (number: number) => getAddress(`0x${number.toString(16).padStart(40, '0')}`)
const [poster, worker] = [account(0xada), account(0xe3e)]
const contextOn = (market: Market): SigningContext => ({
  chainId: 8453,
  market,
  taskRegistry: account(0xabc1),
  asset: account(0xabc2),
})

const anyAccount = fc
  .bigInt({ min: 1n, max: 2n ** 160n - 1n })
  .map((number) => getAddress(`0x${number.toString(16).padStart(40, '0')}`))
const words = fc
  .string({ unit: fc.constantFrom('a', 'é', '文', '😀', '"', '\\', ' ', '7'), maxLength: 30 })
  .map((text) => `x${text}x`)

/** Drafts that a market takes at `now`, limits included. */
const anyDraft = (market: Market): fc.Arbitrary<TermsValues> => {
  const { minDuration, maxDuration, minReviewWindow, maxReviewWindow, claimCutoff, maxClaimDeadline } =
    marketParams[market]
  return fc.record(
    {
      poster: fc.constant(poster),
      worker: fc.option(anyAccount.filter((each) => each !== poster)),
      title: words,
      criteria: words,
      milestones: fc.array(
        fc.record({
          title: words,
          amountTokWei: fc.bigInt({ min: 1n, max: 2n ** 124n - 1n }),
          durationSeconds: fc.integer({ min: minDuration, max: maxDuration }),
        }),
        { minLength: 1, maxLength: 16 },
      ),
      claimDeadline: fc.integer({ min: now + claimCutoff, max: now + maxClaimDeadline }),
      nonce: fc.bigInt({ min: 0n, max: maxUint256 }),
      reviewWindowSeconds: fc.integer({ min: minReviewWindow, max: maxReviewWindow }),
      maxRevisions: fc.integer({ min: 0, max: 3 }),
      arbitrator: fc.option(anyAccount),
      claimPolicy: fc.constantFrom(...claimPolicies),
      tags: fc.uniqueArray(fc.constantFrom('translation', 'lang:pt', 'images-2'), { minLength: 1, maxLength: 3 }),
      files: fc.constant([{ name: 'guide.md', type: 'text/markdown', size: 7, sha256: 'ab'.repeat(32) }]),
      statement: fc.record({ message: words, signature: fc.constant(`0x${'ab'.repeat(65)}`) }),
    },
    { requiredKeys: ['poster', 'title', 'criteria', 'milestones', 'claimDeadline', 'nonce'] },
  ) as fc.Arbitrary<TermsValues>
}
const anyDocument = fc
  .constantFrom(...markets)
  .chain((market) => anyDraft(market).map((draft) => buildTerms(draft, contextOn(market), now)))

const draft: TermsValues = {
  poster,
  title: 'Caption ten photos',
  criteria: 'One sentence each.',
  milestones: [
    { title: 'First five', amountTokWei: 5n, durationSeconds: 86_400 },
    { title: 'Last five', amountTokWei: 7n, durationSeconds: 86_400 },
  ],
  claimDeadline: now + 86_400,
  nonce: 9n,
}
const build = (change: Partial<TermsValues> = {}) => buildTerms({ ...draft, ...change }, contextOn('standard'), now)
const encodeDocument = (document: TermsDocument): TermsDocumentJson => z.encode(termsDocument, document)

test('a document goes through JSON and comes back the same', () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const json: TermsDocumentJson = JSON.parse(JSON.stringify(encodeDocument(document)))
      const read = z.decode(termsDocument, json)
      expect(read).toEqual(document)
      expect(encodeDocument(read)).toEqual(json)
    }),
    { numRuns: runs(100) },
  )
})

test('what is built verifies, names its text and terms, and has no problems', () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      expect(verifyTerms(document)).toBe(true)
      expect(findTermsProblems(document, now)).toEqual([])
      expect(document.criteriaHash).toBe(hashTaskText(formatTermsText(document)))
      const digest = computeSettlementDigest(
        toSigningContext(document),
        toTaskTerms(document),
        document.worker ?? zeroAddress,
      )
      expect(document.settlementDigest).toBe(digest)
    }),
    { numRuns: runs(100) },
  )
})

test('the struct goes over the wire and comes back the same', () => {
  fc.assert(
    fc.property(anyDocument, (document) => {
      const struct = toTaskTerms(document)
      expect(z.decode(termsWire, JSON.parse(JSON.stringify(z.encode(termsWire, struct))))).toEqual(struct)
    }),
    { numRuns: runs(100) },
  )
})

test('a document with any one value changed is refused or does not verify', () => {
  const changed = new Set<string>()
  fc.assert(
    fc.property(anyDocument, (document) => {
      const json = encodeDocument(document)
      for (const path of leaves(json)) {
        for (const other of others(valueAt(json, path))) {
          const read = z.safeDecode(termsDocument, withValue(json, path, other) as TermsDocumentJson)
          expect(read.success && verifyTerms(read.data), `${path.join('.')} = ${other}`).toBe(false)
          changed.add(path.map((key) => (Number.isInteger(Number(key)) ? '*' : key)).join('.'))
        }
      }
    }),
    { numRuns: runs(25, 10) },
  )
  // The milestones have three fields, the statement has two, a file four.
  expect(changed.size).toBe(Object.keys(termsDocument.shape).length - 3 + 3 + 2 + 4)
})

test('files of a brief have safe names and stay within the limits of the market', () => {
  const file = { name: 'guide.md', type: 'text/markdown', size: 7 }
  for (const files of [
    [{ ...file, name: '../guide.md' }],
    [{ ...file, type: 'Text' }],
    [file, { ...file, name: 'Guide.md' }],
    Array.from({ length: briefLimits.files + 1 }, (_, at) => ({ ...file, name: `${at}.md` })),
  ])
    expect(() => build({ files }), JSON.stringify(files)).toThrow()
  const large = { ...file, size: briefLimits.bytes.everyone.standard + 1 }
  expect(build({ files: [large] }).files).toEqual([large])
  expect(() => build({ files: [{ ...large, sha256: 'ab'.repeat(32) }] })).toThrow(
    'The files for everyone have more than 8 MB.',
  )
})

test('a milestone more, fewer or in another place does not verify', () => {
  const { milestones, ...rest } = build()
  const [first, last] = milestones
  if (!first || !last) throw new Error('The draft has two milestones.')
  for (const other of [[first], [last], [last, first], [first, last, last]]) {
    expect(verifyTerms({ ...rest, milestones: other })).toBe(false)
  }
})

test('a value too many or too few is refused', () => {
  const json = encodeDocument(build())
  expect(z.safeDecode(termsDocument, { ...json, fee: '1' } as never).success).toBe(false)
  for (const key of Object.keys(json)) {
    const { [key as keyof typeof json]: _, ...rest } = json
    expect(z.safeDecode(termsDocument, rest as never).success, key).toBe(false)
  }
})

test('a text that is too long is refused when written, and does not verify when it comes from elsewhere', () => {
  const criteria = '文'.repeat(3_000)
  expect(() => build({ criteria })).toThrow(TextTooLongError)
  const foreign = z.decode(termsDocument, { ...encodeDocument(build()), criteria })
  expect(verifyTerms(foreign)).toBe(false)
})

describe('what a draft leaves out', () => {
  test.each(markets)('has the defaults of the %s market', (market) => {
    const document = buildTerms(draft, contextOn(market), now)
    expect(document).toMatchObject({
      worker: null,
      scope: 'OPEN',
      claimPolicy: 'ANYONE',
      reviewWindowSeconds: BigInt(defaultReviewWindow[market]),
      maxRevisions: 1,
      arbitrator: null,
    })
  })

  test('is private when it names a worker, and its words are cleaned', () => {
    expect(build({ worker })).toMatchObject({ worker, scope: 'PRIVATE' })
    expect(build({ title: ' Cafe\u0301 ', criteria: 'a\r\nb\n' })).toMatchObject({
      title: 'Caf\u00e9',
      criteria: 'a\nb',
    })
  })
})

describe('a draft the registry would refuse', () => {
  const milestone = { title: 'All', amountTokWei: 1n, durationSeconds: 86_400 }
  const { claimCutoff, maxClaimDeadline, minDuration, maxDuration, minReviewWindow, maxReviewWindow } =
    marketParams.standard
  const lasting = (durationSeconds: number) => ({ milestones: [{ ...milestone, durationSeconds }] })
  const paying = (...amounts: bigint[]) => ({
    milestones: amounts.map((amountTokWei) => ({ ...milestone, amountTokWei })),
  })

  test.each<[string, Partial<TermsValues>, string]>([
    ['pays nothing', paying(1n, 0n), 'Milestone 2 pays nothing: give it an amount.'],
    ['pays too much', paying(2n ** 128n - 1n, 1n), 'The milestones add up to more than the escrow can count.'],
    ['is too short', lasting(minDuration - 1), 'Milestone 1 must last 6 h to 365 d in the standard market.'],
    ['is too long', lasting(maxDuration + 1), 'Milestone 1 must last 6 h to 365 d in the standard market.'],
    [
      'is reviewed in haste',
      { reviewWindowSeconds: minReviewWindow - 1 },
      'The review window must be 1 d to 7 d in the standard market.',
    ],
    [
      'is reviewed too slowly',
      { reviewWindowSeconds: maxReviewWindow + 1 },
      'The review window must be 1 d to 7 d in the standard market.',
    ],
    ['closes at once', { claimDeadline: now + claimCutoff - 1 }, 'The claim deadline must be 1 h to 30 d ahead.'],
    [
      'stays open too long',
      { claimDeadline: now + maxClaimDeadline + 1 },
      'The claim deadline must be 1 h to 30 d ahead.',
    ],
    ['is for oneself', { worker: poster }, 'Poster and worker must differ.'],
    ['is private without a worker', { scope: 'PRIVATE' }, 'A private task names its worker; an open one does not.'],
    ['is open with a worker', { scope: 'OPEN', worker }, 'A private task names its worker; an open one does not.'],
  ])('%s', (_, change, problem) => {
    expect(() => build(change)).toThrow(new InvalidTermsError(problem))
  })

  test.each<[string, Partial<TermsValues>]>([
    ['no milestone', { milestones: [] }],
    ['17 milestones', { milestones: Array(17).fill(milestone) }],
    ['an amount past 128 bits', paying(2n ** 128n)],
    ['a negative amount', paying(-1n)],
    ['4 revisions', { maxRevisions: 4 }],
    ['half a revision', { maxRevisions: 0.5 }],
    ['a nonce past 256 bits', { nonce: 2n ** 256n }],
    ['the zero address as worker', { worker: zeroAddress }],
    ['the zero address as arbitrator', { arbitrator: zeroAddress }],
    ['a misspelt poster', { poster: '0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }],
    ['a title of two lines', { title: 'a\nb' }],
    ['no criteria', { criteria: ' \n' }],
  ])('%s has no form', (_, change) => {
    expect(() => build(change)).toThrow()
  })

  test('all its problems are listed together', () => {
    const { criteriaHash: _, settlementDigest: __, ...unsealed } = build()
    const bad = sealTerms({ ...unsealed, claimDeadline: 0n, reviewWindowSeconds: 0n, worker: poster })
    expect(findTermsProblems(bad, now)).toHaveLength(4)
  })
})

type Path = readonly string[]

function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]))
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((inner, key) => (inner as Record<string, unknown>)[key], value)
}

function withValue<value>(value: value, path: Path, other: unknown): value {
  const [key, ...rest] = path
  if (key === undefined) return other as value
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
  copy[key] = withValue(copy[key], rest, other)
  return copy as value
}

/** Other values of the same form, so that mostly the hashes and not the schema must notice. */
function others(value: unknown): unknown[] {
  if (value === null) return [worker]
  if (typeof value === 'number') return [value + 1, value - 1]
  const text = String(value)
  const swaps: Record<string, string> = {
    OPEN: 'PRIVATE',
    PRIVATE: 'OPEN',
    ANYONE: 'PERMIT',
    PERMIT: 'ANYONE',
    standard: 'micro',
    micro: 'standard',
  }
  if (swaps[text] !== undefined) return [swaps[text]]
  if (/^\d+$/.test(text)) return [String(BigInt(text) + 1n), `${text}0`]
  if (/^0x[0-9a-fA-F]+$/.test(text)) {
    const lower = text.toLowerCase()
    return [`${lower.slice(0, -1)}${lower.endsWith('1') ? '2' : '1'}`, null]
  }
  return [`${text}!`, text.slice(1) || '!']
}
