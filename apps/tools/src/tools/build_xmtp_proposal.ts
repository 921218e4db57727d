import { randomUUID } from 'node:crypto'
import { termsProblems } from '@svc/protocol'
import { draftEnvelope, envelopeTypedData, hashEnvelope, newChain } from '@svc/protocol/negotiation'
import { isAddressEqual } from 'viem'
import { z } from 'zod'
import { meta, metaOf, wallet } from '../fields.ts'
import { readSignable, refused, termsInput } from '../givenTerms.ts'
import { defineTool } from '../tool.ts'
import { typedDataJson } from '../typedDataJson.ts'

export const buildXmtpProposal = defineTool({
  name: 'svc_build_xmtp_proposal',
  title: 'Build a proposal',
  description:
    'The first envelope of a negotiation, a TaskProposal, unsigned: the sender signs typedData, then it travels as {envelope, hash, signature}.',
  input: z.strictObject({
    terms: termsInput,
    sender: wallet.describe('poster or worker of the terms'),
    negotiationId: z.guid().optional(),
    xmtpPublicKey: z.string().max(1_024).optional(),
  }),
  output: z.looseObject({
    negotiationId: z.string(),
    hash: z.string(),
    typedData: z.looseObject({}),
    untrustedEnvelope: z.looseObject({}),
    meta,
  }),
  async run({ terms: given, sender, negotiationId, xmtpPublicKey }, deps) {
    const terms = readSignable(given, deps)
    const block = await deps.reader.head()
    const [problem] = termsProblems(terms, block.timestamp)
    if (problem) throw refused(`No registry takes these terms: ${problem}`)
    if (!terms.worker) throw refused('A proposal names both parties: these terms have no worker.')
    if (![terms.poster, terms.worker].some((party) => isAddressEqual(party, sender)))
      throw refused('Only the poster or the worker of the terms can propose them.')
    if (xmtpPublicKey && !/^[!-~]+$/.test(xmtpPublicKey)) throw refused('The XMTP key has characters that no key has.')
    const envelope = draftEnvelope(newChain(negotiationId ?? randomUUID()), {
      type: 'TaskProposal',
      payload: { terms },
      sender: { evmAddress: sender, ...(xmtpPublicKey && { xmtpPublicKey }) },
      timestamp: new Date(block.timestamp * 1_000),
    })
    return {
      negotiationId: envelope.negotiationId,
      hash: hashEnvelope(envelope),
      settlementDigest: terms.settlementDigest,
      signer: sender,
      typedData: typedDataJson(envelopeTypedData(terms.chainId, envelope)),
      untrustedEnvelope: envelope as unknown as Record<string, unknown>,
      nextStep:
        'Sign typedData with the sender’s wallet, or let svc-negotiate propose these terms; send-proposal sends.',
      meta: metaOf(terms.market, block),
    }
  },
})
