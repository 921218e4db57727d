import { buildAcceptanceTypedData, findTermsProblems, toSigningContext, toTaskTerms } from '@svc/protocol'
import { hashTypedData } from 'viem'
import { z } from 'zod'
import { buildMeta, meta, toTimeFields } from '../fields.ts'
import { parseSignableTerms, refused, termsInput } from '../parseTerms.ts'
import { randomNonce } from '../randomNonce.ts'
import { defineTool } from '../tool.ts'
import { toTypedDataJson } from '../toTypedDataJson.ts'

const party = z.looseObject({ typedData: z.looseObject({}).describe('EIP-712 data that this party signs.') })

export const buildXmtpAcceptanceTemplate = defineTool({
  name: 'svc_build_xmtp_acceptance_template',
  title: 'Build acceptances to sign',
  description:
    'The TaskAcceptance that each party of a private task signs (EIP-712). With both, anyone can create the task.',
  input: z.strictObject({
    terms: termsInput,
    expiryHours: z.number().positive().max(720).default(24).describe('Validity of the signatures, in hours.'),
  }),
  output: z.looseObject({
    settlementDigest: z.string().describe('EIP-712 digest of the terms with the worker.'),
    poster: party.describe('Acceptance for the poster to sign.'),
    worker: party.describe('Acceptance for the worker to sign.'),
    meta,
  }),
  async run({ terms: given, expiryHours }, deps) {
    const terms = parseSignableTerms(given, deps)
    const block = await deps.reader.head()
    const [problem] = findTermsProblems(terms, block.timestamp)
    if (problem) throw refused(`No registry takes these terms: ${problem}`)
    const { worker } = terms
    if (!worker) throw refused('Open tasks are claimed, not accepted: these terms have no worker.')
    const expiry = BigInt(block.timestamp + Math.round(expiryHours * 3_600))
    const buildTemplate = (party: typeof worker) => {
      const nonce = randomNonce()
      const typed = buildAcceptanceTypedData(toSigningContext(terms), {
        terms: toTaskTerms(terms),
        worker,
        party,
        nonce,
        expiry,
      })
      return {
        party,
        nonce: String(nonce),
        ...toTimeFields('expiry', Number(expiry)),
        expiry: Number(expiry),
        digest: hashTypedData(typed),
        typedData: toTypedDataJson(typed),
      }
    }
    return {
      settlementDigest: terms.settlementDigest,
      poster: buildTemplate(terms.poster),
      worker: buildTemplate(worker),
      nextStep: 'Each party signs its own typedData. With both signatures call svc_prepare with action create-task.',
      meta: buildMeta(block),
    }
  },
})
