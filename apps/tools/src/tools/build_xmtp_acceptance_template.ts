import { acceptanceTypedData, contextOf, termsOf, termsProblems } from '@svc/protocol'
import { hashTypedData } from 'viem'
import { z } from 'zod'
import { meta, metaOf, timeFields } from '../fields.ts'
import { readSignable, refused, termsInput } from '../givenTerms.ts'
import { randomNonce } from '../randomNonce.ts'
import { defineTool } from '../tool.ts'
import { typedDataJson } from '../typedDataJson.ts'

const party = z.looseObject({ typedData: z.looseObject({}) })

export const buildXmtpAcceptanceTemplate = defineTool({
  name: 'svc_build_xmtp_acceptance_template',
  title: 'Build acceptances to sign',
  description:
    'The TaskAcceptance that each party of a private task signs (EIP-712). Both signatures together let anyone create the task.',
  input: z.strictObject({ terms: termsInput, expiryHours: z.number().positive().max(720).default(24) }),
  output: z.looseObject({ settlementDigest: z.string(), poster: party, worker: party, meta }),
  async run({ terms: given, expiryHours }, deps) {
    const terms = readSignable(given, deps)
    const block = await deps.reader.head()
    const [problem] = termsProblems(terms, block.timestamp)
    if (problem) throw refused(`No registry takes these terms: ${problem}`)
    const { worker } = terms
    if (!worker) throw refused('Open tasks are claimed, not accepted: these terms have no worker.')
    const expiry = BigInt(block.timestamp + Math.round(expiryHours * 3_600))
    const templateOf = (party: typeof worker) => {
      const nonce = randomNonce()
      const typed = acceptanceTypedData(contextOf(terms), { terms: termsOf(terms), worker, party, nonce, expiry })
      return {
        party,
        nonce: String(nonce),
        ...timeFields('expiry', Number(expiry)),
        expiry: Number(expiry),
        digest: hashTypedData(typed),
        typedData: typedDataJson(typed),
      }
    }
    return {
      settlementDigest: terms.settlementDigest,
      poster: templateOf(terms.poster),
      worker: templateOf(worker),
      nextStep: 'Each party signs its own typedData. With both signatures run: svc-prepare create-task',
      meta: metaOf(terms.market, block),
    }
  },
})
