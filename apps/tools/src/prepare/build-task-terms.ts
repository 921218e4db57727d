import { createSigningContext } from '@svc/chain'
import {
  buildTermsFromDraft,
  draftDefaults,
  formatAmount,
  formatTime,
  marketParams,
  parseTermsDraft,
  termsDocument,
  termsDraft,
} from '@svc/protocol'
import * as z from 'zod/mini'
import { randomNonce } from '../randomNonce.ts'
import { type Command, requireWallet } from './command.ts'
import { listFields } from './field.ts'
import { requireFields } from './readFields.ts'

const fields = listFields(termsDraft, {
  market: draftDefaults.market,
  poster: 'the wallet of --from',
  worker: 'an open task',
  claimWithin: draftDefaults.claimWithin,
  reviewWithin: "the market's default",
  maxRevisions: String(draftDefaults.maxRevisions),
  arbitrator: 'agreed on or drawn in a dispute',
  store: 'none: silence pays for every delivery',
  statement: 'none: only without a store',
  claimPolicy: draftDefaults.claimPolicy,
  nonce: 'random',
})

/** Builds the document that both parties agree on, by the time of the chain. */
export const buildTaskTerms: Command = {
  name: 'build-task-terms',
  summary: 'Build the terms document of a task from a draft: its text, numbers, hashes and settlement digest.',
  fields,
  from: 'required',
  answer: termsDocument,
  async run(call) {
    requireFields(fields, call.input)
    const { markets } = await call.open()
    const { timestamp } = await markets.reader.head()
    const document = buildTermsFromDraft(parseTermsDraft(call.input), {
      signing: (market) => createSigningContext(markets.deployments, market),
      poster: requireWallet(call),
      now: timestamp,
      nonce: randomNonce(),
    })
    const total = document.milestones.reduce((sum, { amountTokWei }) => sum + amountTokWei, 0n)
    return {
      json: z.encode(termsDocument, document),
      lines: [
        { heading: `${document.scope} task of ${formatAmount(total, 'tok')} in the ${document.market} market` },
        `  To be claimed by ${formatTime(Number(document.claimDeadline) - marketParams[document.market].claimCutoff)}`,
        `  Criteria hash ${document.criteriaHash}`,
        `  Settlement digest ${document.settlementDigest}`,
        '',
        'With --json the document is written out: save it, and give it to post-task or create-task as --terms.',
      ],
    }
  },
}
