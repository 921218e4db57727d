import { signingContext } from '@svc/chain'
import {
  buildTerms,
  claimPolicies,
  formatAmount,
  formatTime,
  type Market,
  market,
  marketParams,
  maxMilestones,
  maxRevisions,
  nonce,
  payee,
  seconds,
  type TermsDraft,
  taskScopes,
  termsDocument,
  tokWei,
} from '@svc/protocol'
import * as z from 'zod/mini'
import { randomNonce } from '../randomNonce.ts'
import { type Command, walletOf } from './command.ts'
import { fieldsOf } from './field.ts'
import { requireFields } from './readFields.ts'

const milestone = z.strictObject({ title: z.string(), amountTokWei: tokWei, durationSeconds: seconds })

const input = z.strictObject({
  market,
  poster: payee,
  worker: z.optional(payee),
  title: z.string(),
  criteria: z.string(),
  milestones: z.array(milestone).check(z.minLength(1), z.maxLength(maxMilestones)),
  reviewWindowSeconds: z.optional(seconds),
  maxRevisions: z.optional(z.int().check(z.minimum(0), z.maximum(maxRevisions))),
  arbitrator: z.optional(payee),
  scope: z.optional(z.enum(taskScopes)),
  claimPolicy: z.optional(z.enum(claimPolicies)),
  claimDeadline: seconds,
  nonce,
})

const fields = fieldsOf(input, {
  market: 'standard',
  poster: 'the wallet of --from',
  claimDeadline: 'half of the longest that the market allows',
  nonce: 'random',
  reviewWindowSeconds: 'as the market has it',
  maxRevisions: '1',
  scope: 'PRIVATE with a worker, else OPEN',
  claimPolicy: 'ANYONE',
})

/** Makes the document that both parties agree on, judged by the chain's own time. */
export const buildTaskTerms: Command = {
  name: 'build-task-terms',
  summary: 'Make the terms document of a task: its words, numbers, hashes and settlement digest.',
  fields,
  from: 'required',
  answer: termsDocument,
  async run(call) {
    requireFields(fields, call.input)
    const { markets } = await call.open()
    const chosen = (call.input.market ?? 'standard') as Market
    const { timestamp } = await markets.reader.head()
    const draft = z.decode(input, {
      market: chosen,
      poster: walletOf(call),
      claimDeadline: timestamp + Math.floor(marketParams[chosen].maxClaimDeadline / 2),
      nonce: String(randomNonce()),
      ...(call.input as object),
    } as z.input<typeof input>)
    const { market: _, ...rest } = draft
    const document = buildTerms(rest as TermsDraft, signingContext(markets.deployments, chosen), timestamp)
    const total = document.milestones.reduce((sum, { amountTokWei }) => sum + amountTokWei, 0n)
    return {
      json: z.encode(termsDocument, document),
      lines: [
        { heading: `${document.scope} task of ${formatAmount(total, 'tok')} in the ${chosen} market` },
        `  To be claimed by ${formatTime(document.claimDeadline)}`,
        `  Criteria hash ${document.criteriaHash}`,
        `  Settlement digest ${document.settlementDigest}`,
        '',
        'With --json the document is written out: save it, and give it to post-task or create-task as --terms.',
      ],
    }
  },
}
