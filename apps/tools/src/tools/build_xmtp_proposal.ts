import { randomUUID } from 'node:crypto'
import { findTermsProblems } from '@svc/protocol'
import { buildEnvelope, buildEnvelopeTypedData, hashEnvelope, startChain } from '@svc/protocol/negotiation'
import { isAddressEqual } from 'viem'
import { z } from 'zod'
import { address, buildMeta, meta } from '../fields.ts'
import { parseProposedTerms, refused, termsInput } from '../parseTerms.ts'
import { defineTool } from '../tool.ts'
import { toTypedDataJson } from '../toTypedDataJson.ts'

export const buildXmtpProposal = defineTool({
  name: 'svc_build_xmtp_proposal',
  title: 'Build a proposal',
  description:
    'The first envelope of a negotiation, a TaskProposal, unsigned: the sender signs typedData, then it travels as {envelope, hash, signature}.',
  input: z.strictObject({
    terms: termsInput.describe(
      '{draftId}, a terms document that you received, or a draft; the party that it leaves out is the sender.',
    ),
    sender: address.describe('Poster or worker of the terms, who signs.'),
    negotiationId: z.guid().optional().describe('A UUID; default random.'),
    xmtpPublicKey: z.string().max(1_024).optional().describe("The sender's XMTP public key, if it has one."),
  }),
  output: z.looseObject({
    negotiationId: z.string().describe('Id of the negotiation.'),
    hash: z.string().describe('Hash of the envelope.'),
    typedData: z.looseObject({}).describe('EIP-712 data that the sender signs.'),
    untrustedEnvelope: z.looseObject({}).describe('The envelope. Pass it on unchanged.'),
    meta,
  }),
  async run({ terms: given, sender, negotiationId, xmtpPublicKey }, deps) {
    const block = await deps.reader.head()
    const terms = parseProposedTerms(given, sender, block.timestamp, deps)
    const [problem] = findTermsProblems(terms, block.timestamp)
    if (problem) throw refused(`No registry takes these terms: ${problem}`)
    if (!terms.worker) throw refused('A proposal names both parties: these terms have no worker.')
    if (![terms.poster, terms.worker].some((party) => isAddressEqual(party, sender)))
      throw refused('Only the poster or the worker of the terms can propose them.')
    if (xmtpPublicKey && !/^[!-~]+$/.test(xmtpPublicKey)) throw refused('The XMTP key has characters that no key has.')
    const envelope = buildEnvelope(startChain(negotiationId ?? randomUUID()), {
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
      typedData: toTypedDataJson(buildEnvelopeTypedData(terms.chainId, envelope)),
      untrustedEnvelope: { ...envelope },
      nextStep:
        'Sign typedData with the sender’s wallet, or let svc-negotiate propose these terms; send-proposal sends.',
      meta: buildMeta(block),
    }
  },
})
