import { termsDocument, toTaskTerms } from '@svc/protocol'
import { z } from 'zod'
import { adviseOnJudge } from '../adviseOnJudge.ts'
import { buildTermsDocument, toolDraft } from '../buildTermsDocument.ts'
import { buildMeta, meta, toTokFields } from '../fields.ts'
import { defineTool } from '../tool.ts'

export const buildTaskTerms = defineTool({
  name: 'svc_build_task_terms',
  title: 'Build task terms',
  description:
    'Builds a terms document with its settlementDigest from a draft. With worker: a private task, to be proposed and accepted. Without: an open one, to be posted. Amounts are text in TOK, durations text with a unit.',
  input: z.strictObject({
    ...toolDraft.shape,
    document: z.boolean().default(false).describe('Also return the whole document.'),
  }),
  output: z.looseObject({
    settlementDigest: z.string().describe('EIP-712 digest of the terms.'),
    totalAmountTokWei: z.string().describe('Sum of all milestones, in TOK wei.'),
    warnings: z.array(z.string()).describe('What speaks against the arbitrator, or that there is no store.'),
    draftId: z.string().optional().describe('Stands for the terms in other tools.'),
    nextStep: z.string().describe('What to do now.'),
    meta,
  }),
  async run({ document: isWhole, ...draft }, deps) {
    const { reader, drafts } = deps
    const block = await reader.head()
    const { document, warnings: storeWarnings } = await buildTermsDocument(draft, deps)
    const draftId = drafts?.add(document)
    const { warnings, suggested } = await adviseOnJudge(reader, document.market, toTaskTerms(document))
    return {
      settlementDigest: document.settlementDigest,
      criteriaHash: document.criteriaHash,
      scope: document.scope,
      ...toTokFields(
        'totalAmount',
        document.milestones.reduce((sum, { amountTokWei }) => sum + amountTokWei, 0n),
      ),
      store: document.store,
      warnings: [...storeWarnings, ...warnings],
      ...(suggested && { suggestedArbitrator: suggested }),
      ...(draftId && { draftId }),
      ...((isWhole || !draftId) && { untrustedTerms: z.encode(termsDocument, document) }),
      nextStep: describeNext(draft.worker !== undefined, draftId !== undefined),
      meta: buildMeta(block),
    }
  },
})

function describeNext(isPrivate: boolean, hasDraft: boolean): string {
  const terms = hasDraft ? 'terms {draftId}' : 'untrustedTerms'
  if (isPrivate) return `Pass ${terms} to svc_build_xmtp_proposal, and to svc_build_xmtp_acceptance_template.`
  return hasDraft
    ? 'Call svc_prepare with action post-task and draftId. It funds the whole pay, unless input has fundAmountTokWei.'
    : 'Call svc_prepare with action post-task and input {terms: untrustedTerms, fundAmountTokWei}.'
}
