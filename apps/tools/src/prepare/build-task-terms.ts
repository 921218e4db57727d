import { createSigningContext } from '@svc/chain'
import {
  buildTermsFromDraft,
  formatAmount,
  formatTime,
  marketParams,
  parseTermsDraft,
  termsDocument,
  toTaskTerms,
} from '@svc/protocol'
import { draftDefaults, termsDraft } from '@svc/protocol/internal/terms'
import * as z from 'zod/mini'
import { adviseOnJudge, formatJudgeAdvice } from '../adviseOnJudge.ts'
import { randomNonce } from '../randomNonce.ts'
import type { Command } from './command.ts'
import { listFields } from './field.ts'
import { PrepareError } from './prepareError.ts'
import { requireFields } from './readFields.ts'

const fields = listFields(termsDraft, {
  market: draftDefaults.market,
  poster: 'the wallet of --from',
  worker: 'an open task',
  claimWithin: draftDefaults.claimWithin,
  reviewWithin: "the market's default",
  maxRevisions: String(draftDefaults.maxRevisions),
  arbitrator: 'agreed on in a dispute, else the final court',
  store: null,
  statement: 'none: only without a store',
  claimPolicy: draftDefaults.claimPolicy,
  nonce: 'random',
})

/** Builds the document that both parties agree on, by the time of the chain. */
export const buildTaskTerms: Command = {
  name: 'build-task-terms',
  summary: 'Build the terms document of a task from a draft: its text, numbers, hashes and settlement digest.',
  fields,
  from: 'optional',
  answer: termsDocument,
  async run({ input, from, open, progress }) {
    if (input.poster === undefined && !from) {
      throw new PrepareError('usage', 'Missing: --poster or --from.', {
        hint: '--poster: the wallet that posts and pays',
      })
    }
    requireFields(fields, input)
    const { markets } = await open()
    const { timestamp } = await markets.reader.head()
    const document = buildTermsFromDraft(parseTermsDraft(input), {
      signing: (market) => createSigningContext(markets.deployments, market),
      ...(from && { poster: from }),
      now: timestamp,
      nonce: randomNonce(),
    })
    const total = document.milestones.reduce((sum, { amountTokWei }) => sum + amountTokWei, 0n)
    const { warnings, suggested } = await adviseOnJudge(markets.reader, document.market, toTaskTerms(document))
    // Not in the document: it is what both parties sign.
    for (const line of formatJudgeAdvice({ warnings, suggested: null })) progress(line)
    return {
      json: z.encode(termsDocument, document),
      lines: [
        { heading: `${document.scope} task of ${formatAmount(total, 'tok')} in the ${document.market} market` },
        `  To be claimed by ${formatTime(Number(document.claimDeadline) - marketParams[document.market].claimCutoff)}`,
        `  Criteria hash ${document.criteriaHash}`,
        `  Settlement digest ${document.settlementDigest}`,
        ...formatJudgeAdvice({ warnings: [], suggested }),
        '',
        'With --json the document is written out: save it, and give it to post-task or create-task as --terms.',
      ],
    }
  },
}
