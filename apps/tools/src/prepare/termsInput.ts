import type { Deployments } from '@svc/chain'
import { type TermsDocument, termsDocument, termsOf, termsWire, textOf, verifyTerms } from '@svc/protocol'
import * as z from 'zod/mini'
import { isHere } from '../givenTerms.ts'
import { PrepareError } from './prepareError.ts'

/** What `--terms` takes: the document of build-task-terms, or the struct that the registry takes. */
export const termsInput = z.union([termsDocument, termsWire])

/**
 * An input in which a terms document is taken apart: the struct, and with it the market, the published text and the worker, where
 * they were not given. Refuses a document whose hashes are not its own, or of another registry.
 */
export function expandTerms(
  input: Readonly<Record<string, unknown>>,
  shape: Readonly<Record<string, unknown>>,
  deployments: Deployments,
): Record<string, unknown> {
  const { success, data: document } = z.safeDecode(termsDocument, input.terms as never)
  if (!success) return { ...input }
  checkDocument(document, deployments)
  const { market, worker } = document
  if (input.market !== undefined && input.market !== market) {
    throw new PrepareError('usage', `The terms are for the ${market} market, not for ${input.market}.`)
  }
  const told = { market, text: textOf(document), ...(worker && { worker }) }
  const asked = Object.entries(told).filter(([name]) => name in shape)
  return { ...Object.fromEntries(asked), ...input, terms: z.encode(termsWire, termsOf(document)) }
}

function checkDocument(document: TermsDocument, deployments: Deployments): void {
  if (!verifyTerms(document)) {
    throw new PrepareError('usage', 'The hashes in the terms document are not those of its words and numbers.', {
      hint: 'Build it again with svc-prepare build-task-terms.',
    })
  }
  if (!isHere(document, deployments)) {
    throw new PrepareError('usage', 'The terms document is for other contracts than those of SVC_DEPLOYMENTS.')
  }
}
