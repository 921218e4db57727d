import type { Address } from 'viem'
import * as z from 'zod/mini'
import { type Market, markets } from '../base/market.ts'
import { market } from '../base/marketSchema.ts'
import { normalizeText } from '../base/plainText.ts'
import { nonce, payee } from '../base/wire.ts'
import { maxMilestones, maxRevisions } from '../money/amounts.ts'
import { defaultReviewWindow } from '../money/params.ts'
import {
  formatAmount,
  formatDuration,
  InvalidAmountError,
  InvalidDurationError,
  parseAmount,
  parseDuration,
} from '../money/units.ts'
import { claimPolicies } from '../tasks/states.ts'
import { TextTooLongError, tags } from '../tasks/taskText.ts'
import { briefFiles } from '../work/briefFiles.ts'
import { signedStatement } from '../work/wire.ts'
import { draftDefaults } from './draftDefaults.ts'
import { buildTerms, findTermsProblems, InvalidTermsError, sealTerms, type TermsDocument } from './terms.ts'
import type { SigningContext } from './typedData.ts'

/** TOK as people write it: `"1,250.5"` or `"1,250.5 TOK"` as text, wei as a value. */
const amount = z
  .codec(
    z
      .string()
      .check(
        z.refine(
          (text) => isParsable(() => parseAmount(text, 'tok'), InvalidAmountError),
          'write TOK with at most 18 decimals, such as "1,250.5 TOK"',
        ),
      ),
    z.bigint(),
    { decode: (text) => parseAmount(text, 'tok'), encode: (inside) => formatAmount(inside, 'tok') },
  )
  .check(z.describe('Pay in TOK, such as "1,250.5 TOK".'))

/** A duration as people write it, with its unit: `"36 hours"` as text, seconds as a value. */
const duration = z.codec(
  z
    .string()
    .check(
      z.refine(
        (text) => isParsable(() => parseDuration(text), InvalidDurationError),
        'write a duration with its unit, such as "36 hours" or "2 days"',
      ),
    ),
  z.bigint(),
  { decode: (text) => BigInt(parseDuration(text)), encode: (inside) => `${inside} s` },
)

const words = z.string().check(z.minLength(1), z.maxLength(16_384))

/** A milestone of a draft. */
const milestone = z.strictObject({
  title: words.check(z.describe('What is delivered, in one line.')),
  amount,
  duration: duration.check(z.describe('Time to deliver, such as "36 hours" or "2 days".')),
})

/** The fields that a counter-offer can change. */
const changeable = {
  title: words.check(z.describe('Title of the task, one line of at most 120 characters.')),
  criteria: words.check(z.describe('What must be true of the work for it to be accepted.')),
  milestones: z
    .array(milestone)
    .check(z.minLength(1), z.maxLength(maxMilestones), z.describe(`The milestones in order, 1 to ${maxMilestones}.`)),
  tags: z
    .optional(tags)
    .check(z.describe('What a search can filter by, such as ["translation", "lang:pt"]; default none.')),
  claimWithin: z
    .optional(duration)
    .check(z.describe(`Time to claim it or, if private, to create it; default "${draftDefaults.claimWithin}".`)),
  reviewWithin: z
    .optional(duration)
    .check(
      z.describe(
        `Time to review a delivery; default ${formatDuration(defaultReviewWindow.standard)}, in the micro market ${formatDuration(defaultReviewWindow.micro)}.`,
      ),
    ),
  maxRevisions: z
    .optional(z.int().check(z.minimum(0), z.maximum(maxRevisions)))
    .check(
      z.describe(
        `How often a milestone can be sent back, 0 to ${maxRevisions}; default ${draftDefaults.maxRevisions}.`,
      ),
    ),
}

/**
 * The draft of a task's terms: the one shape that people and programs write, on the site, in the tools and in files. Amounts
 * are text in TOK, durations are text with a unit. `draftDefaults` says what takes the place of a missing field.
 */
export const termsDraft = z.strictObject({
  market: z.optional(market).check(z.describe(`Market: ${markets.join(' or ')}; default ${draftDefaults.market}.`)),
  poster: z.optional(payee).check(z.describe('Wallet that posts and pays; default: your own.')),
  worker: z
    .optional(payee)
    .check(z.describe('Wallet that works: makes a private task. Leave it out for an open task.')),
  ...changeable,
  arbitrator: z
    .optional(payee)
    .check(z.describe('Wallet that judges a dispute; default: agreed on later, or the final court.')),
  store: z
    .optional(z.union([payee, z.literal('none')]))
    .check(
      z.describe(
        'Wallet of the store that signs receipts for deliveries, or "none". Without one, silence pays for any hash; with one, only with its receipt.',
      ),
    ),
  statement: z
    .optional(signedStatement)
    .check(z.describe("The poster's key statement, from svc-work sign-in or svc_work_sign_in. Required with a store.")),
  files: z
    .optional(briefFiles)
    .check(
      z.describe('Files of the brief {name, type, size, sha256}. Without a sha256, a file is for the worker only.'),
    ),
  claimPolicy: z
    .optional(z.enum(claimPolicies))
    .check(
      z.describe(`Who may claim: ANYONE, or who has a PERMIT of the poster; default ${draftDefaults.claimPolicy}.`),
    ),
  nonce: z.optional(nonce).check(z.describe('Number that the poster has never used, as decimal text; default random.')),
})

// Null takes the arbitrator or the store away again. The poster adds its statement with a store.
const termsChange = z.partial(
  z.strictObject({
    ...changeable,
    arbitrator: z.nullable(payee),
    store: z.nullable(payee),
    statement: signedStatement,
  }),
)

/** A draft as JSON. */
export type TermsDraft = z.input<typeof termsDraft>
/** A draft as exact values: wei and seconds. */
export type TermsDraftValues = z.output<typeof termsDraft>

/** What a draft does not say. */
export interface DraftContext {
  /** Where signatures over the terms are valid, by market. */
  signing: (market: Market) => SigningContext
  /** The poster of a draft that names none. */
  poster?: Address
  /** The worker of a draft that names none; without one the task is open. */
  worker?: Address
  /** Unix seconds. */
  now: number
  /** The nonce of a draft that has none: random. */
  nonce: bigint
}

/**
 * Parses a draft from JSON. Throws {@link InvalidDraftError}, with a message for people, if it does not match.
 *
 * @example
 * ```ts
 * const milestones = [{ title: 'Map', amount: '300 TOK', duration: '2 days' }]
 * const draft = parseTermsDraft({ title: 'A map', criteria: 'To scale.', milestones })
 * ```
 */
export function parseTermsDraft(json: unknown): TermsDraftValues {
  return parse(termsDraft, json)
}

/**
 * Builds the terms document of a draft. Throws {@link InvalidTermsError}, with a message for people, if the registry would
 * refuse the terms at `now`.
 *
 * @example
 * ```ts
 * const terms = buildTermsFromDraft(draft, { signing, poster, now, nonce })
 * ```
 */
export function buildTermsFromDraft(draft: TermsDraftValues, context: DraftContext): TermsDocument {
  const poster = draft.poster ?? context.poster
  if (!poster) throw new InvalidDraftError('poster is missing: name the wallet that pays.')
  // Silence pays for any hash of a task without a store, so nobody gets one by leaving the field out.
  if (draft.store === undefined)
    throw new InvalidDraftError(
      'store is missing: name the store of the market, or "none" if any delivered hash may be paid when nobody answers.',
    )
  const store = draft.store === 'none' ? null : draft.store
  assertPosterKey({ ...draft, store })
  return explainProblems(() =>
    buildTerms(
      {
        poster,
        worker: draft.worker ?? context.worker ?? null,
        title: draft.title,
        criteria: draft.criteria,
        milestones: draft.milestones.map(toMilestone),
        claimDeadline: BigInt(context.now) + (draft.claimWithin ?? BigInt(parseDuration(draftDefaults.claimWithin))),
        nonce: draft.nonce ?? context.nonce,
        maxRevisions: draft.maxRevisions ?? draftDefaults.maxRevisions,
        claimPolicy: draft.claimPolicy ?? draftDefaults.claimPolicy,
        arbitrator: draft.arbitrator ?? null,
        store,
        ...(draft.statement && { statement: draft.statement }),
        ...(draft.tags && { tags: draft.tags }),
        ...(draft.files && { files: draft.files }),
        ...(draft.reviewWithin !== undefined && { reviewWindowSeconds: draft.reviewWithin }),
      },
      context.signing(draft.market ?? draftDefaults.market),
      context.now,
    ),
  )
}

/**
 * Applies a change to terms: the fields of a draft that differ, in the same form. The nonce stays, so that only one of all
 * offers can become a task. Throws {@link InvalidDraftError} if the change does not match and
 * {@link InvalidTermsError} if the registry would refuse the result.
 */
export function changeTerms(terms: TermsDocument, json: unknown, now: number): TermsDocument {
  const change = parse(termsChange, json)
  const { title, criteria, milestones, tags, claimWithin, reviewWithin, maxRevisions, arbitrator, store, statement } =
    change
  const changed = explainProblems(() =>
    sealTerms({
      ...terms,
      ...(title !== undefined && { title: normalizeText(title) }),
      ...(criteria !== undefined && { criteria: normalizeText(criteria) }),
      ...(tags && { tags }),
      ...(maxRevisions !== undefined && { maxRevisions }),
      ...(arbitrator !== undefined && { arbitrator }),
      ...(store !== undefined && { store }),
      ...(statement && { statement }),
      ...(milestones && { milestones: milestones.map(toMilestone) }),
      ...(claimWithin !== undefined && { claimDeadline: BigInt(now) + claimWithin }),
      ...(reviewWithin !== undefined && { reviewWindowSeconds: reviewWithin }),
    }),
  )
  const [problem] = findTermsProblems(changed, now)
  if (problem) throw new InvalidTermsError(problem)
  assertPosterKey(changed)
  return changed
}

/** With a store, silence pays only for what the poster could open: without its key in the text, nobody could seal work for it. */
function assertPosterKey({ store, statement }: { store?: unknown; statement?: unknown }): void {
  if (!store || statement) return
  throw new InvalidDraftError(
    "statement is missing: terms with a store need the poster's key statement. The poster signs in once, or leaves the store out.",
  )
}

type Milestone = TermsDocument['milestones'][number]

/** Parses the milestones of a draft. Throws {@link InvalidDraftError} if they do not match. */
export function parseDraftMilestones(json: unknown): Milestone[] {
  return parse(z.strictObject({ milestones: changeable.milestones }), { milestones: json }).milestones.map(toMilestone)
}

const toMilestone = ({ title, amount, duration }: z.output<typeof milestone>): Milestone => ({
  title: normalizeText(title),
  amountTokWei: amount,
  durationSeconds: duration,
})

function parse<Schema extends z.ZodMiniType>(schema: Schema, json: unknown): z.output<Schema> {
  const { success, data, error } = z.safeParse(schema, json)
  if (success) return data
  throw new InvalidDraftError(describeDraftIssue(error, json))
}

/** Runs `build`, and turns every error about its input into an {@link InvalidDraftError}. */
function explainProblems<T>(build: () => T): T {
  try {
    return build()
  } catch (error) {
    if (error instanceof z.core.$ZodError) throw new InvalidDraftError(describeDraftIssue(error, null))
    if (error instanceof TextTooLongError) throw new InvalidDraftError(error.message)
    throw error
  }
}

/**
 * Describes the first problem of a draft, or of a terms document, in a sentence. It names the field, never the value: that
 * may be somebody else's text.
 */
export function describeDraftIssue({ issues: [issue] }: z.core.$ZodError, json: unknown): string {
  if (!issue) return 'The draft cannot be read.'
  const field = formatPath(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    return `${field ? `${field}: ` : ''}there is ${/^\w{1,30}$/.test(key) ? `no field "${key}"` : 'an unknown field'}.`
  }
  if (!field) return 'The draft is not a JSON object.'
  if (json !== null && valueAt(json, issue.path) === undefined) return `${field} is missing.`
  if (issue.code === 'too_small')
    return issue.origin === 'int' || issue.origin === 'number'
      ? `${field} must be at least ${issue.minimum}.`
      : `${field} is empty.`
  if (issue.code === 'too_big')
    return `${field} is too ${issue.origin === 'string' ? 'long' : 'large'}: at most ${issue.maximum}.`
  if (issue.code === 'invalid_value') return `${field} must be ${issue.values.join(' or ')}.`
  if (issue.code === 'invalid_type')
    return `${field} must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}.`
  return `${field}: ${issue.message}.`
}

/** `milestones.0.amount` as `Milestone 1, amount`. */
function formatPath([first, index, ...rest]: readonly PropertyKey[]): string {
  if (first !== 'milestones' || typeof index !== 'number') return [first, index, ...rest].filter(Boolean).join('.')
  return [`Milestone ${index + 1}`, ...rest].join(', ')
}

function valueAt(json: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    json,
  )
}

/** Thrown for a draft that does not match: a missing, misspelt or malformed field. */
export class InvalidDraftError extends InvalidTermsError {
  override name = 'InvalidDraftError'
}

function isParsable(parse: () => unknown, error: new (...args: never[]) => Error): boolean {
  try {
    parse()
    return true
  } catch (thrown) {
    if (thrown instanceof error) return false
    throw thrown
  }
}
