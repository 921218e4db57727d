import { signingContext } from '@svc/chain'
import { contextOf, type Market, type TermsDocument, termsDocument, verifyTerms } from '@svc/protocol'
import { isAddressEqual } from 'viem'
import { z } from 'zod'
import { type ToolDeps, ToolError } from './tool.ts'

/** A terms document as a tool takes it: read in full by `readTerms`. */
export const termsInput = z
  .looseObject({})
  .describe('untrustedTerms of svc_build_task_terms, or a terms document received')

/** Reads a terms document. Refuses one of another form. */
export function readTerms(given: unknown): TermsDocument {
  const { success, data, error } = z.safeDecode(
    termsDocument as never,
    given as never,
  ) as z.ZodSafeParseResult<TermsDocument>
  if (success) return data
  const [issue] = error.issues
  throw refused(`This is no terms document: ${issue?.path.join('.') || 'it'} is missing or wrong.`)
}

/** Reads a document that can be signed here. Refuses other hashes than its own, and another chain, registry or token than ours. */
export function readSignable(given: unknown, { deployments }: Pick<ToolDeps, 'deployments'>): TermsDocument {
  const terms = readTerms(given)
  if (!verifyTerms(terms)) throw refused('The hashes in these terms are not those of their words and numbers.')
  if (!isHere(terms, deployments))
    throw refused('These terms are for another chain, registry or token than this market’s.')
  return terms
}

/** Whether a document is for a market of this deployment. */
export function isHere(terms: TermsDocument, deployments: ToolDeps['deployments']): boolean {
  const [theirs, ours] = [contextOf(terms), signingContext(deployments, terms.market as Market)]
  return (
    theirs.chainId === ours.chainId &&
    isAddressEqual(theirs.taskRegistry, ours.taskRegistry) &&
    isAddressEqual(theirs.asset, ours.asset)
  )
}

/** Terms that lead nowhere. */
export const refused = (why: string) =>
  new ToolError('TERMS_REFUSED', why, 'Make them with svc_build_task_terms, and pass on its untrustedTerms unchanged.')
