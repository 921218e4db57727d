import { signingContext } from '@svc/chain'
import {
  buildTerms,
  InvalidAmountError,
  InvalidTermsError,
  maxMilestones,
  maxTextBytes,
  parseAmount,
  TextTooLongError,
  termsDocument,
} from '@svc/protocol'
import { z } from 'zod'
import { market, meta, metaOf, tokFields, wallet } from '../fields.ts'
import { refused } from '../givenTerms.ts'
import { randomNonce } from '../randomNonce.ts'
import { defineTool } from '../tool.ts'

const hour = 3_600

export const buildTaskTerms = defineTool({
  name: 'svc_build_task_terms',
  title: 'Build task terms',
  description:
    'Makes a terms document with its settlementDigest from words and numbers. With worker: a private task, to be proposed and accepted. Without: an open one, to be posted.',
  input: z.strictObject({
    market,
    poster: wallet,
    worker: wallet.optional(),
    title: z.string().max(200),
    criteria: z.string().max(maxTextBytes).describe('what must be true of the work to be accepted'),
    milestones: z
      .array(
        z.strictObject({ title: z.string().max(200), amountTok: z.string().max(60), hours: z.number().positive() }),
      )
      .min(1)
      .max(maxMilestones),
    claimHours: z.number().positive().default(72).describe('open for claims, or for creation, this long'),
    reviewHours: z.number().positive().optional(),
    maxRevisions: z.int().min(0).max(3).optional(),
    arbitrator: wallet.optional(),
  }),
  output: z.looseObject({
    settlementDigest: z.string(),
    totalAmountTokWei: z.string(),
    untrustedTerms: z.looseObject({}),
    nextStep: z.string(),
    meta,
  }),
  async run(input, { deployments, reader }) {
    const block = await reader.head()
    try {
      const document = buildTerms(
        {
          poster: input.poster,
          worker: input.worker ?? null,
          title: input.title,
          criteria: input.criteria,
          milestones: input.milestones.map(({ title, amountTok, hours }) => ({
            title,
            amountTokWei: parseAmount(amountTok, 'tok'),
            durationSeconds: Math.round(hours * hour),
          })),
          claimDeadline: block.timestamp + Math.round(input.claimHours * hour),
          nonce: randomNonce(),
          ...(input.reviewHours !== undefined && { reviewWindowSeconds: Math.round(input.reviewHours * hour) }),
          ...(input.maxRevisions !== undefined && { maxRevisions: input.maxRevisions }),
          arbitrator: input.arbitrator ?? null,
        },
        signingContext(deployments, input.market),
        block.timestamp,
      )
      return {
        settlementDigest: document.settlementDigest,
        criteriaHash: document.criteriaHash,
        scope: document.scope,
        ...tokFields(
          'totalAmount',
          document.milestones.reduce((sum, { amountTokWei }) => sum + amountTokWei, 0n),
        ),
        untrustedTerms: z.encode(termsDocument as never, document as never) as Record<string, unknown>,
        nextStep: input.worker
          ? 'Pass untrustedTerms to svc_build_xmtp_proposal, and to svc_build_xmtp_acceptance_template.'
          : 'Save untrustedTerms to a file and run: svc-prepare post-task --terms <file>',
        meta: metaOf(input.market, block),
      }
    } catch (error) {
      throw isRefusal(error) ? refused(wordsOf(error)) : error
    }
  },
})

const isRefusal = (error: unknown): error is Error =>
  error instanceof InvalidTermsError ||
  error instanceof InvalidAmountError ||
  error instanceof TextTooLongError ||
  error instanceof z.core.$ZodError

/** The words of a refusal, without the value: it may be a stranger's. */
function wordsOf(error: Error): string {
  if (error instanceof InvalidAmountError)
    return 'An amountTok is none: write it like 1,250.5, with at most 18 decimals.'
  if (!(error instanceof z.core.$ZodError)) return error.message
  const [issue] = error.issues
  return `${issue?.path.join('.') || 'The text'} is refused: ${issue?.message ?? 'wrong'}.`
}
