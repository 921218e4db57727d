import { type Deployments, signingContext } from '@svc/chain'
import {
  buildTerms,
  InvalidAmountError,
  InvalidTermsError,
  market,
  parseAmount,
  payee,
  sealTerms,
  seconds,
  type TermsDocument,
  termsDocument,
  termsProblems,
  verifyTerms,
} from '@svc/protocol'
import type { Address } from 'viem'
import * as z from 'zod/mini'
import { randomNonce } from '../randomNonce.ts'
import { UsageError } from './exitOf.ts'

const words = z.string().check(z.minLength(1))

const changes = {
  title: words,
  criteria: words,
  milestones: z
    .array(
      z.strictObject({
        title: words,
        /** As people write it: `1,250.5 TOK`. */
        amount: words,
        durationSeconds: seconds,
      }),
    )
    .check(z.minLength(1), z.maxLength(16)),
  reviewWindowSeconds: z.optional(seconds),
  maxRevisions: z.optional(z.int().check(z.minimum(0), z.maximum(3))),
  arbitrator: z.optional(z.nullable(payee)),
  /** How long from now the task can be created. */
  claimWithinSeconds: seconds,
}

const draft = z.strictObject({ market, poster: z.optional(payee), worker: z.optional(payee), ...changes })
const change = z.partial(z.strictObject(changes))

interface Place {
  deployments: Deployments
  me: Address
  /** Unix seconds. */
  now: number
}

/**
 * The terms that a file proposes: a terms document as `build-task-terms` writes it, or a draft of which the market's defaults fill
 * the rest and the writer is the party that it leaves out. Refuses what no registry would take.
 */
export function readTerms(json: unknown, { deployments, me, now }: Place): TermsDocument {
  if (typeof json === 'object' && json !== null && 'settlementDigest' in json) return checked(json, now)
  const { market, claimWithinSeconds, milestones, ...given } = read(draft, json, 'The draft')
  const { poster = me, worker = me } = given
  if (poster === worker) throw new UsageError('The draft names only you: name the other party as poster or worker.')
  const { reviewWindowSeconds, maxRevisions, arbitrator, title, criteria } = given
  return buildTerms(
    {
      poster,
      worker,
      title,
      criteria,
      milestones: milestones.map(readMilestone),
      claimDeadline: BigInt(now) + claimWithinSeconds,
      nonce: randomNonce(),
      ...(reviewWindowSeconds === undefined ? {} : { reviewWindowSeconds }),
      ...(maxRevisions === undefined ? {} : { maxRevisions }),
      ...(arbitrator === undefined ? {} : { arbitrator }),
    },
    signingContext(deployments, market),
    now,
  )
}

/** The standing terms with what a file changes of them. The nonce stays, so that only one of all offers can become a task. */
export function changeTerms(standing: TermsDocument, json: unknown, now: number): TermsDocument {
  const { milestones, claimWithinSeconds, ...rest } = read(change, json, 'The change')
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const terms = sealTerms({
    ...standing,
    ...given,
    ...(milestones ? { milestones: milestones.map(readMilestone) } : {}),
    ...(claimWithinSeconds === undefined ? {} : { claimDeadline: BigInt(now) + claimWithinSeconds }),
  })
  return takenByRegistry(terms, now)
}

function checked(json: unknown, now: number): TermsDocument {
  const terms = read(termsDocument, json, 'The terms document')
  if (!verifyTerms(terms))
    throw new UsageError('The hashes in the terms document are not those of its words and numbers.')
  return takenByRegistry(terms, now)
}

function takenByRegistry(terms: TermsDocument, now: number): TermsDocument {
  const [problem] = termsProblems(terms, now)
  if (problem) throw new InvalidTermsError(problem)
  return terms
}

function readMilestone({ amount, title, durationSeconds }: { amount: string; title: string; durationSeconds: bigint }) {
  try {
    return { title, durationSeconds, amountTokWei: parseAmount(amount, 'tok') }
  } catch (error) {
    if (error instanceof InvalidAmountError) throw new UsageError(error.message)
    throw error
  }
}

/** Decodes JSON of one's own, or says which field is wrong. */
function read<Schema extends z.ZodMiniType>(schema: Schema, json: unknown, what: string): z.output<Schema> {
  const { success, data, error } = z.safeDecode(schema, json as z.input<Schema>)
  if (success) return data
  const [issue] = error.issues
  throw new UsageError(`${what} is wrong at ${issue?.path.join('.') || 'its top'}: ${issue?.message}.`)
}
