import { type Address, type Hex, isAddressEqual, zeroAddress } from 'viem'
import * as z from 'zod/mini'
import { maxMilestones, maxRevisions } from './amounts.ts'
import { market } from './market.ts'
import { defaultReviewWindow, marketParams } from './params.ts'
import { claimPolicies, taskScopes } from './states.ts'
import { cleanWords, criteriaHash, prose, TextTooLongError, title, writeText } from './taskText.ts'
import { type SigningContext, settlementDigest, type TaskTerms } from './typedData.ts'
import { formatDuration } from './units.ts'
import { address, bytes32, nonce, payee, seconds, tokWei } from './wire.ts'

/** A milestone as the terms document has it. */
const milestone = z.strictObject({ title, amountTokWei: tokWei, durationSeconds: seconds })

const revisions = z.int().check(z.minimum(0), z.maximum(maxRevisions))

/** The numbers of an agreement on the wire; inside, the struct that the registry takes. */
export const termsWire = z.codec(
  z
    .strictObject({
      poster: payee,
      amountsTokWei: z.array(tokWei).check(z.minLength(1), z.maxLength(maxMilestones)),
      durationsSeconds: z.array(seconds).check(z.minLength(1), z.maxLength(maxMilestones)),
      reviewWindowSeconds: seconds,
      maxRevisions: revisions,
      arbitrator: z.nullable(payee),
      criteriaHash: bytes32,
      scope: z.enum(taskScopes),
      claimPolicy: z.enum(claimPolicies),
      claimDeadline: seconds,
      nonce,
    })
    .check(
      z.refine(
        ({ amountsTokWei, durationsSeconds }) => amountsTokWei.length === durationsSeconds.length,
        'as many durations as amounts',
      ),
    ),
  z.custom<TaskTerms>(),
  {
    decode: ({ amountsTokWei, durationsSeconds, reviewWindowSeconds, arbitrator, scope, claimPolicy, ...same }) => ({
      ...same,
      amounts: amountsTokWei,
      durations: durationsSeconds,
      reviewWindow: reviewWindowSeconds,
      arbitrator: arbitrator ?? zeroAddress,
      scope: taskScopes.indexOf(scope),
      claimPolicy: claimPolicies.indexOf(claimPolicy),
    }),
    encode: ({ amounts, durations, reviewWindow, arbitrator, scope, claimPolicy, ...same }) => ({
      ...same,
      amountsTokWei: [...amounts],
      durationsSeconds: [...durations],
      reviewWindowSeconds: reviewWindow,
      arbitrator: isAddressEqual(arbitrator, zeroAddress) ? null : arbitrator,
      scope: nameOf(taskScopes, scope),
      claimPolicy: nameOf(claimPolicies, claimPolicy),
    }),
  },
)

function nameOf<T extends string>(names: readonly T[], index: number): T {
  const name = names[index]
  if (name === undefined) throw new InvalidTermsError(`${index} is none of ${names.join(', ')}.`)
  return name
}

/** Terms from JSON. Throws zod's error for anything else. */
export const readTerms = (json: unknown): TaskTerms => z.decode(termsWire, json as z.input<typeof termsWire>)

/**
 * The document both parties agree on: words and numbers, where they hold, and the digest that names all of it. It needs
 * nothing else to be verified.
 */
export const termsDocument = z.strictObject({
  chainId: z.int().check(z.minimum(1)),
  market,
  taskRegistry: address,
  /** The token the task is paid in. */
  asset: address,
  poster: payee,
  /** Null for an open task that nobody claimed yet. */
  worker: z.nullable(payee),
  scope: z.enum(taskScopes),
  claimPolicy: z.enum(claimPolicies),
  title,
  criteria: prose,
  milestones: z.array(milestone).check(z.minLength(1), z.maxLength(maxMilestones)),
  reviewWindowSeconds: seconds,
  maxRevisions: revisions,
  /** Who decides a dispute; null: agreed on or drawn when there is one. */
  arbitrator: z.nullable(payee),
  /** Unix seconds. Of a private task: until when it can be created. */
  claimDeadline: seconds,
  nonce,
  criteriaHash: bytes32,
  settlementDigest: bytes32,
})

export type TermsDocument = z.output<typeof termsDocument>
/** The document as JSON. */
export type TermsDocumentJson = z.input<typeof termsDocument>

/** What a person writes; the rest has the market's defaults. */
export interface TermsDraft {
  poster: Address
  worker?: Address | null
  title: string
  criteria: string
  milestones: readonly { title: string; amountTokWei: bigint; durationSeconds: number | bigint }[]
  /** Unix seconds. */
  claimDeadline: number | bigint
  /** Random, or any number that the poster never used. */
  nonce: bigint
  reviewWindowSeconds?: number | bigint
  maxRevisions?: number
  arbitrator?: Address | null
  /** PRIVATE when a worker is named, else OPEN. */
  scope?: (typeof taskScopes)[number]
  claimPolicy?: (typeof claimPolicies)[number]
}

/** Makes the document of a draft: cleans its words, fills in defaults, hashes. Refuses what the registry would refuse at `now`. */
export function buildTerms(draft: TermsDraft, context: SigningContext, now: number): TermsDocument {
  const worker = draft.worker ?? null
  const unsealed = {
    ...context,
    poster: draft.poster,
    worker,
    scope: draft.scope ?? (worker ? 'PRIVATE' : 'OPEN'),
    claimPolicy: draft.claimPolicy ?? 'ANYONE',
    title: cleanWords(draft.title),
    criteria: cleanWords(draft.criteria),
    milestones: draft.milestones.map((each) => ({
      title: cleanWords(each.title),
      amountTokWei: each.amountTokWei,
      durationSeconds: BigInt(each.durationSeconds),
    })),
    reviewWindowSeconds: BigInt(draft.reviewWindowSeconds ?? defaultReviewWindow[context.market]),
    maxRevisions: draft.maxRevisions ?? 1,
    arbitrator: draft.arbitrator ?? null,
    claimDeadline: BigInt(draft.claimDeadline),
    nonce: draft.nonce,
  } as const
  const document = sealTerms(unsealed)
  const [problem] = termsProblems(document, now)
  if (problem) throw new InvalidTermsError(problem)
  return document
}

/** Fills in the two hashes of a document whose every other field stands. Refuses fields of the wrong form. */
export function sealTerms(unsealed: Omit<TermsDocument, 'criteriaHash' | 'settlementDigest'>): TermsDocument {
  const withHash = { ...unsealed, criteriaHash: criteriaHash(textOf(unsealed)), settlementDigest: '0x' as Hex }
  const document = { ...withHash, settlementDigest: digestOf(withHash) }
  return z.decode(termsDocument, z.encode(termsDocument, document))
}

/** The text of a document, as an open task publishes it. */
export function textOf({
  title,
  criteria,
  milestones,
}: Pick<TermsDocument, 'title' | 'criteria' | 'milestones'>): string {
  return writeText({ title, criteria, milestones: milestones.map((each) => each.title) })
}

/** The struct that the registry takes and both parties sign. */
export function termsOf(document: Omit<TermsDocument, 'settlementDigest'>): TaskTerms {
  return {
    poster: document.poster,
    amounts: document.milestones.map(({ amountTokWei }) => amountTokWei),
    durations: document.milestones.map(({ durationSeconds }) => durationSeconds),
    reviewWindow: document.reviewWindowSeconds,
    maxRevisions: document.maxRevisions,
    arbitrator: document.arbitrator ?? zeroAddress,
    criteriaHash: document.criteriaHash,
    scope: taskScopes.indexOf(document.scope),
    claimPolicy: claimPolicies.indexOf(document.claimPolicy),
    claimDeadline: document.claimDeadline,
    nonce: document.nonce,
  }
}

/** Where signatures over a document hold. */
export function contextOf({ chainId, market, taskRegistry, asset }: TermsDocument): SigningContext {
  return { chainId, market, taskRegistry, asset }
}

/** Whether a document's two hashes are those of its words and numbers. Words too long to be published have no hash. */
export function verifyTerms(document: TermsDocument): boolean {
  return document.criteriaHash === hashOf(document) && document.settlementDigest === digestOf(document)
}

function hashOf(document: TermsDocument): Hex | null {
  try {
    return criteriaHash(textOf(document))
  } catch (error) {
    if (error instanceof TextTooLongError) return null
    throw error
  }
}

const digestOf = (document: TermsDocument): Hex =>
  settlementDigest(contextOf(document), termsOf(document), document.worker ?? zeroAddress)

/** Why the registry would refuse these terms at `now`, in sentences; none: it would take them. */
export function termsProblems(document: TermsDocument, now: number): string[] {
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
  if (total >= 2n ** 128n) problems.push('The milestones add up to more than the escrow can count.')
  if (!within(document.reviewWindowSeconds, params.minReviewWindow, params.maxReviewWindow)) {
    problems.push(
      `The review window must be ${formatDuration(params.minReviewWindow)} to ${formatDuration(params.maxReviewWindow)} in the ${document.market} market.`,
    )
  }
  if (!within(document.claimDeadline, now + params.claimCutoff, now + params.maxClaimDeadline)) {
    problems.push(
      `The claim deadline must lie ${formatDuration(params.claimCutoff)} to ${formatDuration(params.maxClaimDeadline)} ahead.`,
    )
  }
  if (document.worker && isAddressEqual(document.worker, document.poster))
    problems.push('Poster and worker must differ.')
  if ((document.scope === 'PRIVATE') !== (document.worker !== null)) {
    problems.push('A private task names its worker; an open one does not.')
  }
  return problems
}

/** Terms that no registry takes. */
export class InvalidTermsError extends Error {
  override name = 'InvalidTermsError'
}
