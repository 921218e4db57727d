import { type Address, type Hex, isAddressEqual, zeroAddress } from 'viem'
import * as z from 'zod/mini'
import { market } from '../base/marketSchema.ts'
import { normalizeText } from '../base/plainText.ts'
import { SvcError, type SvcErrorOptions } from '../base/svcError.ts'
import { address, bytes32, nonce, payee, seconds, tokWei } from '../base/wire.ts'
import { maxMilestones, maxRevisions } from '../money/amounts.ts'
import { defaultReviewWindow, marketParams } from '../money/params.ts'
import { formatDuration } from '../money/units.ts'
import { claimPolicies, taskScopes } from '../tasks/states.ts'
import { encodeTaskText, hashTaskText, prose, TextTooLongError, tags, title } from '../tasks/taskText.ts'
import { type BriefFile, briefFiles } from '../work/briefFiles.ts'
import { findBriefExcess } from '../work/briefLimits.ts'
import { type SignedStatement, signedStatement } from '../work/wire.ts'
import { computeSettlementDigest, type SigningContext, type TaskTerms } from './typedData.ts'

/** A milestone as the terms document has it. */
const milestone = z.strictObject({ title, amountTokWei: tokWei, durationSeconds: seconds })

const revisions = z.int().check(z.minimum(0), z.maximum(maxRevisions))

/** The numbers of an agreement: JSON outside, the struct that the registry takes inside. */
export const termsWire = z.codec(
  z
    .strictObject({
      poster: payee,
      amountsTokWei: z.array(tokWei).check(z.minLength(1), z.maxLength(maxMilestones)),
      durationsSeconds: z.array(seconds).check(z.minLength(1), z.maxLength(maxMilestones)),
      reviewWindowSeconds: seconds,
      maxRevisions: revisions,
      arbitrator: z.nullable(payee),
      store: z.nullable(payee),
      criteriaHash: bytes32,
      scope: z.enum(taskScopes),
      claimPolicy: z.enum(claimPolicies),
      claimDeadline: seconds,
      nonce,
    })
    .check(
      z.refine(({ amountsTokWei, durationsSeconds }) => amountsTokWei.length === durationsSeconds.length, {
        error: ({ input }) => {
          const { amountsTokWei, durationsSeconds } = input as Record<string, readonly unknown[]>
          return `got ${amountsTokWei?.length} amounts but ${durationsSeconds?.length} durations`
        },
      }),
    ),
  z.custom<TaskTerms>(),
  {
    decode: ({
      amountsTokWei,
      durationsSeconds,
      reviewWindowSeconds,
      arbitrator,
      store,
      scope,
      claimPolicy,
      ...same
    }) => ({
      ...same,
      amounts: amountsTokWei,
      durations: durationsSeconds,
      reviewWindow: reviewWindowSeconds,
      arbitrator: arbitrator ?? zeroAddress,
      store: store ?? zeroAddress,
      scope: taskScopes.indexOf(scope),
      claimPolicy: claimPolicies.indexOf(claimPolicy),
    }),
    encode: ({ amounts, durations, reviewWindow, arbitrator, store, scope, claimPolicy, ...same }) => ({
      ...same,
      amountsTokWei: [...amounts],
      durationsSeconds: [...durations],
      reviewWindowSeconds: reviewWindow,
      arbitrator: isAddressEqual(arbitrator, zeroAddress) ? null : arbitrator,
      store: isAddressEqual(store, zeroAddress) ? null : store,
      scope: nameAt(taskScopes, scope),
      claimPolicy: nameAt(claimPolicies, claimPolicy),
    }),
  },
)

function nameAt<T extends string>(names: readonly T[], index: number): T {
  const name = names[index]
  if (name === undefined) throw new InvalidTermsError(`There is no ${index}: expected one of ${names.join(', ')}.`)
  return name
}

/** Parses terms from JSON. Throws a `ZodError` if they do not match. */
export const parseTaskTerms = (json: unknown): TaskTerms => z.parse(termsWire, json)

/**
 * The document both parties agree on: text, numbers, the contracts they apply to, and the digest that identifies all of it.
 * It can be verified without anything else.
 */
export const termsDocument = z.strictObject({
  chainId: z.int().check(z.minimum(1)),
  market,
  taskRegistry: address,
  /** The token the task is paid in. */
  asset: address,
  poster: payee,
  /** Null for an open task that nobody has claimed yet. */
  worker: z.nullable(payee),
  scope: z.enum(taskScopes),
  claimPolicy: z.enum(claimPolicies),
  title,
  criteria: prose,
  milestones: z.array(milestone).check(z.minLength(1), z.maxLength(maxMilestones)),
  reviewWindowSeconds: seconds,
  maxRevisions: revisions,
  /**
   * Who judges a dispute, once it accepts; in an open task only if the worker names it too. Null if the parties agree on one later,
   * or the final court decides.
   */
  arbitrator: z.nullable(payee),
  /** Who signs receipts for deliveries. An unanswered delivery is paid only with one; null if it is always paid. */
  store: z.nullable(payee),
  /** The poster's key statement, which is published with the text. Clients require it if there is a store. */
  statement: z.optional(signedStatement),
  /** What a search can filter by. Published with the text. */
  tags: z.optional(tags),
  /** Files of the brief. Published with the text. */
  files: z.optional(briefFiles),
  /** Unix seconds. A private task can be created until then. */
  claimDeadline: seconds,
  nonce,
  criteriaHash: bytes32,
  settlementDigest: bytes32,
})

export type TermsDocument = z.output<typeof termsDocument>
/** The document as JSON. */
export type TermsDocumentJson = z.input<typeof termsDocument>

/** The values that terms are built from. Fields that are left out have defaults. */
export interface TermsValues {
  poster: Address
  worker?: Address | null
  title: string
  criteria: string
  milestones: readonly { title: string; amountTokWei: bigint; durationSeconds: number | bigint }[]
  /** Unix seconds. */
  claimDeadline: number | bigint
  /** A number that the poster has never used, such as a random one. */
  nonce: bigint
  reviewWindowSeconds?: number | bigint
  maxRevisions?: number
  arbitrator?: Address | null
  store?: Address | null
  /** The poster's key statement. */
  statement?: SignedStatement | undefined
  /** What a search can filter by. */
  tags?: readonly string[] | undefined
  /** Files of the brief. */
  files?: readonly BriefFile[] | undefined
  /** Default: PRIVATE with a worker, otherwise OPEN. */
  scope?: (typeof taskScopes)[number]
  claimPolicy?: (typeof claimPolicies)[number]
}

/**
 * Builds the terms document: normalizes text, fills in defaults and computes the hashes. Throws {@link InvalidTermsError} if
 * the registry would refuse the terms at `now`.
 */
export function buildTerms(values: TermsValues, context: SigningContext, now: number): TermsDocument {
  const worker = values.worker ?? null
  const unsealed = {
    ...context,
    poster: values.poster,
    worker,
    scope: values.scope ?? (worker ? 'PRIVATE' : 'OPEN'),
    claimPolicy: values.claimPolicy ?? 'ANYONE',
    title: normalizeText(values.title),
    criteria: normalizeText(values.criteria),
    milestones: values.milestones.map((each) => ({
      title: normalizeText(each.title),
      amountTokWei: each.amountTokWei,
      durationSeconds: BigInt(each.durationSeconds),
    })),
    reviewWindowSeconds: BigInt(values.reviewWindowSeconds ?? defaultReviewWindow[context.market]),
    maxRevisions: values.maxRevisions ?? 1,
    arbitrator: values.arbitrator ?? null,
    store: values.store ?? null,
    ...(values.statement && { statement: values.statement }),
    ...(values.tags?.length && { tags: [...values.tags] }),
    ...(values.files?.length && { files: [...values.files] }),
    claimDeadline: BigInt(values.claimDeadline),
    nonce: values.nonce,
  } as const
  const document = sealTerms(unsealed)
  const [problem] = findTermsProblems(document, now)
  if (problem) throw new InvalidTermsError(problem)
  return document
}

/** Computes the two hashes of a document whose other fields are final. Throws a `ZodError` if a field does not match. */
export function sealTerms(unsealed: Omit<TermsDocument, 'criteriaHash' | 'settlementDigest'>): TermsDocument {
  const withHash = { ...unsealed, criteriaHash: hashTaskText(formatTermsText(unsealed)), settlementDigest: '0x' as Hex }
  const document = { ...withHash, settlementDigest: computeDigest(withHash) }
  return z.decode(termsDocument, z.encode(termsDocument, document))
}

/** Formats the text of a document as an open task publishes it. */
export function formatTermsText({
  title,
  criteria,
  milestones,
  statement,
  tags,
  files,
}: Pick<TermsDocument, 'title' | 'criteria' | 'milestones' | 'statement' | 'tags' | 'files'>): string {
  const more = { ...(statement && { statement }), ...(tags && { tags }), ...(files && { files }) }
  return encodeTaskText({ title, criteria, milestones: milestones.map((each) => each.title), ...more })
}

/** Converts a document to the struct that the registry takes and both parties sign. */
export function toTaskTerms(document: Omit<TermsDocument, 'settlementDigest'>): TaskTerms {
  return {
    poster: document.poster,
    amounts: document.milestones.map(({ amountTokWei }) => amountTokWei),
    durations: document.milestones.map(({ durationSeconds }) => durationSeconds),
    reviewWindow: document.reviewWindowSeconds,
    maxRevisions: document.maxRevisions,
    arbitrator: document.arbitrator ?? zeroAddress,
    store: document.store ?? zeroAddress,
    criteriaHash: document.criteriaHash,
    scope: taskScopes.indexOf(document.scope),
    claimPolicy: claimPolicies.indexOf(document.claimPolicy),
    claimDeadline: document.claimDeadline,
    nonce: document.nonce,
  }
}

/** Where signatures over a document are valid. */
export function toSigningContext({ chainId, market, taskRegistry, asset }: TermsDocument): SigningContext {
  return { chainId, market, taskRegistry, asset }
}

/** Whether a document's two hashes match its text and numbers. Text that is too long to be published has no hash. */
export function verifyTerms(document: TermsDocument): boolean {
  return document.criteriaHash === hashText(document) && document.settlementDigest === computeDigest(document)
}

function hashText(document: TermsDocument): Hex | null {
  try {
    return hashTaskText(formatTermsText(document))
  } catch (error) {
    if (error instanceof TextTooLongError) return null
    throw error
  }
}

const computeDigest = (document: TermsDocument): Hex =>
  computeSettlementDigest(toSigningContext(document), toTaskTerms(document), document.worker ?? zeroAddress)

/**
 * Finds why the registry would refuse these terms at `now`, or a store the files of their brief, in sentences. Empty if nothing is
 * wrong.
 */
export function findTermsProblems(document: TermsDocument, now: number): string[] {
  const params = marketParams[document.market]
  const within = (value: bigint, min: number, max: number) => value >= BigInt(min) && value <= BigInt(max)
  const total = document.milestones.reduce((sum, { amountTokWei }) => sum + amountTokWei, 0n)
  const problems = document.milestones.flatMap(({ amountTokWei, durationSeconds }, index) => [
    ...(amountTokWei > 0n ? [] : [`Milestone ${index + 1} pays nothing: give it an amount.`]),
    ...(within(durationSeconds, params.minDuration, params.maxDuration)
      ? []
      : [
          `Milestone ${index + 1} must last ${formatDuration(params.minDuration)} to ${formatDuration(params.maxDuration)} in the ${document.market} market.`,
        ]),
  ])
  const excess = findBriefExcess(document.files ?? [], document.market)
  if (excess) {
    const whose = { everyone: 'for everyone', worker: 'for the worker' }[excess.audience]
    problems.push(`The files ${whose} have more than ${excess.limit / 1_000_000} MB.`)
  }
  if (total >= 2n ** 128n) problems.push('The milestones add up to more than the escrow can count.')
  if (!within(document.reviewWindowSeconds, params.minReviewWindow, params.maxReviewWindow)) {
    problems.push(
      `The review window must be ${formatDuration(params.minReviewWindow)} to ${formatDuration(params.maxReviewWindow)} in the ${document.market} market.`,
    )
  }
  if (!within(document.claimDeadline, now + params.claimCutoff, now + params.maxClaimDeadline)) {
    problems.push(
      `The claim deadline must be ${formatDuration(params.claimCutoff)} to ${formatDuration(params.maxClaimDeadline)} ahead.`,
    )
  }
  if (document.worker && isAddressEqual(document.worker, document.poster))
    problems.push('Poster and worker must differ.')
  if ((document.scope === 'PRIVATE') !== (document.worker !== null)) {
    problems.push('A private task names its worker; an open one does not.')
  }
  return problems
}

/** Thrown for terms that no registry accepts, and for drafts that do not match. */
export class InvalidTermsError extends SvcError {
  override name = 'InvalidTermsError'

  constructor(message: string, options?: SvcErrorOptions) {
    super('INVALID_TERMS', message, options)
  }
}
