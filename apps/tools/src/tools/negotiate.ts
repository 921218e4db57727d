import { type TermsDocument, toTaskTerms } from '@svc/protocol'
import { actions, encodeActionInput } from '@svc/protocol/actions'
import { changeTerms } from '@svc/protocol/internal/terms'
import type { TalkNegotiation } from '@svc/work'
import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { address, buildMeta, meta } from '../fields.ts'
import { parseProposedTerms, refused, refuseInvalidTerms } from '../parseTerms.ts'
import { defineTool } from '../tool.ts'
import { cleanUntrusted, cleanUntrustedLine } from '../untrusted.ts'
import { negotiationToJson } from '../work/describeThread.ts'
import { openOwnTalk } from '../work/openTalk.ts'
import { withWorkErrors } from '../work/toolWork.ts'
import { runTwoSteps, walletSignature } from '../work/twoSteps.ts'

/** Negotiates a private task over the mailbox. */
export const negotiate = defineTool({
  name: 'svc_negotiate',
  title: 'Negotiate a private task',
  description:
    'Proposes a private task, counters an offer, or accepts it: then it first returns typedData for the wallet to sign. When both accepted, next creates the task.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  input: z.strictObject({
    address: address.describe('Poster or worker.'),
    step: z.enum(['propose', 'counter', 'accept']).describe('What to do.'),
    negotiationId: z.guid().optional().describe('From svc_read_messages; not for propose.'),
    terms: z
      .looseObject({})
      .optional()
      .describe('propose: a draft that names the other party, or {draftId}. counter: only the changes.'),
    reason: z.string().max(2_000).optional().describe('counter: why.'),
    settlementDigest: z
      .string()
      .regex(/^0x[0-9a-f]{64}$/, 'not a digest')
      .optional()
      .describe('accept: the offer that you read.'),
    signature: walletSignature.optional(),
  }),
  output: z.looseObject({
    negotiation: z.looseObject({}).optional().describe('The negotiation after it; absent if nothing was sent.'),
    typedData: z.looseObject({}).optional().describe('What the wallet must sign first; absent otherwise.'),
    next: z.looseObject({}).optional().describe('Action and input for svc_prepare; absent before both accepted.'),
    nextStep: z.string().describe('What to do now.'),
    meta,
  }),
  run: ({ address, step, negotiationId, terms, reason, settlementDigest, signature }, deps) =>
    withWorkErrors(async () => {
      const opened = deps.work.openWallet(address)
      const talk = await openOwnTalk(opened)
      const now = opened.settings.now()
      const block = await deps.reader.head()
      const done = (found: TalkNegotiation) => ({
        ...describe(found, address),
        meta: buildMeta(block),
      })
      if (step === 'propose') {
        if (!terms) throw refused('A proposal needs terms.')
        return done(await talk.propose(parseProposedTerms(terms, address, now, deps)))
      }
      if (!negotiationId) throw refused('negotiationId is missing: read it with svc_read_messages.')
      if (step === 'counter') {
        const change = (current: TermsDocument) => refuseInvalidTerms(() => changeTerms(current, terms ?? {}, now))
        return done(await talk.counter(negotiationId, change, reason))
      }
      if (!settlementDigest) throw refused('settlementDigest is missing: accept the offer that you read.')
      const accepted = await runTwoSteps(signature, 86_400, now, async (signing) =>
        done(await talk.accept(negotiationId, settlementDigest as Hex, signing)),
      )
      return { meta: buildMeta(block), ...accepted }
    }),
})

function describe(found: TalkNegotiation, wallet: Address) {
  const { untrustedTitle, untrustedCriteria, ...rest } = negotiationToJson(found, wallet)
  const negotiation = {
    ...rest,
    untrustedTitle: cleanUntrustedLine(untrustedTitle),
    untrustedCriteria: cleanUntrusted(untrustedCriteria, 2_000),
  }
  const { terms, parties, acceptances } = found.state
  if (!acceptances.poster || !acceptances.worker) {
    return { negotiation, nextStep: 'Sent. Read the answer with svc_read_messages.' }
  }
  const input = encodeActionInput(actions['create-task'], {
    market: terms.market,
    terms: toTaskTerms(terms),
    worker: parties.worker,
    posterAcceptance: acceptances.poster,
    workerAcceptance: acceptances.worker,
  })
  return {
    negotiation,
    next: { action: 'create-task', input },
    nextStep: 'Both accepted. The poster calls svc_prepare with next and its address to create the task.',
  }
}
