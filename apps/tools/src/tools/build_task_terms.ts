import { createSigningContext } from '@svc/chain'
import { buildTermsFromDraft, termsDocument, toTaskTerms } from '@svc/protocol'
import { payee } from '@svc/protocol/internal/base'
import { termsDraft } from '@svc/protocol/internal/terms'
import { z } from 'zod'
import { adviseOnJudge } from '../adviseOnJudge.ts'
import { buildMeta, meta, toTokFields } from '../fields.ts'
import { refuseInvalidTerms } from '../parseTerms.ts'
import { randomNonce } from '../randomNonce.ts'
import { defineTool } from '../tool.ts'

export const buildTaskTerms = defineTool({
  name: 'svc_build_task_terms',
  title: 'Build task terms',
  description:
    'Builds a terms document with its settlementDigest from a draft. With worker: a private task, to be proposed and accepted. Without: an open one, to be posted. Amounts are text in TOK, durations text with a unit.',
  input: z.strictObject({
    ...termsDraft.shape,
    poster: payee.check(z.describe('Wallet that posts and pays.')),
  }),
  output: z.looseObject({
    settlementDigest: z.string().describe('EIP-712 digest of the terms.'),
    totalAmountTokWei: z.string().describe('Sum of all milestones, in TOK wei.'),
    warnings: z.array(z.string()).describe('What speaks against the arbitrator.'),
    untrustedTerms: z.looseObject({}).describe('The terms document. Pass it on unchanged.'),
    nextStep: z.string().describe('What to do now.'),
    meta,
  }),
  async run(input, { deployments, reader }) {
    const block = await reader.head()
    const document = refuseInvalidTerms(() =>
      buildTermsFromDraft(input, {
        signing: (market) => createSigningContext(deployments, market),
        now: block.timestamp,
        nonce: randomNonce(),
      }),
    )
    const { warnings, suggested } = await adviseOnJudge(reader, document.market, toTaskTerms(document))
    return {
      settlementDigest: document.settlementDigest,
      criteriaHash: document.criteriaHash,
      scope: document.scope,
      ...toTokFields(
        'totalAmount',
        document.milestones.reduce((sum, { amountTokWei }) => sum + amountTokWei, 0n),
      ),
      warnings: [...warnings],
      ...(suggested && { suggestedArbitrator: suggested }),
      untrustedTerms: z.encode(termsDocument, document),
      nextStep: input.worker
        ? 'Pass untrustedTerms to svc_build_xmtp_proposal, and to svc_build_xmtp_acceptance_template.'
        : 'Call svc_prepare with action post-task and input {terms: untrustedTerms, fundAmountTokWei}.',
      meta: buildMeta(document.market, block),
    }
  },
})
