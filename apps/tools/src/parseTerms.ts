import { createSigningContext } from '@svc/chain'
import {
  buildTermsFromDraft,
  InvalidTermsError,
  parseTermsDraft,
  type TermsDocument,
  termsDocument,
  toSigningContext,
  verifyTerms,
} from '@svc/protocol'
import { describeDraftIssue } from '@svc/protocol/internal/terms'
import { type Address, isAddressEqual } from 'viem'
import { z } from 'zod'
import type { Drafts } from './drafts.ts'
import { randomNonce } from './randomNonce.ts'
import { type ToolDeps, ToolError } from './tool.ts'

/** A terms document as a tool takes it: `parseTermsDocument` checks it in full. */
export const termsInput = z
  .looseObject({})
  .describe('{draftId} of svc_build_task_terms, or a terms document that you received.')

/** Parses a terms document, or finds the one of a draft. Throws a `ToolError` if it does not match. */
export function parseTermsDocument(given: object, { drafts }: Pick<ToolDeps, 'drafts'>): TermsDocument {
  if ('draftId' in given) return findDraft(String(given.draftId), drafts)
  const { success, data, error } = z.safeParse(termsDocument, given)
  if (success) return data
  throw refused(`Not a terms document. ${describeDraftIssue(error, given)}`)
}

/** Finds the terms that svc_build_task_terms built. Throws a `ToolError` if they are not here any more. */
export function findDraft(draftId: string, drafts: Drafts | null): TermsDocument {
  const found = drafts?.find(draftId)
  if (!found) throw refused('This server has no draft with this id.')
  return found
}

/** Parses a document that can be signed here: its hashes match, and chain, registry and token are those of this deployment. */
export function parseSignableTerms(given: object, deps: Pick<ToolDeps, 'deployments' | 'drafts'>): TermsDocument {
  const { deployments } = deps
  const terms = parseTermsDocument(given, deps)
  if (!verifyTerms(terms)) throw refused('The hashes in these terms do not match their text and numbers.')
  if (!isForDeployment(terms, deployments))
    throw refused('These terms are for another chain, registry or token than this market’s.')
  return terms
}

/** Parses the terms of a proposal: a document, or a draft, whose sender is the party that it leaves out. */
export function parseProposedTerms(
  given: object,
  sender: Address,
  now: number,
  deps: Pick<ToolDeps, 'deployments' | 'drafts'>,
): TermsDocument {
  const { deployments } = deps
  if ('settlementDigest' in given || 'draftId' in given) return parseSignableTerms(given, deps)
  return refuseInvalidTerms(() => {
    const draft = parseTermsDraft(given)
    return buildTermsFromDraft(draft, {
      signing: (market) => createSigningContext(deployments, market),
      poster: sender,
      ...(draft.poster && { worker: sender }),
      now,
      nonce: randomNonce(),
    })
  })
}

/** Whether a document is for a market of this deployment. */
export function isForDeployment(terms: TermsDocument, deployments: ToolDeps['deployments']): boolean {
  const [theirs, ours] = [toSigningContext(terms), createSigningContext(deployments, terms.market)]
  return (
    theirs.chainId === ours.chainId &&
    isAddressEqual(theirs.taskRegistry, ours.taskRegistry) &&
    isAddressEqual(theirs.asset, ours.asset)
  )
}

/** The error for terms that a tool does not accept. */
export const refused = (why: string) =>
  new ToolError('TERMS_REFUSED', why, 'Make them with svc_build_task_terms, and pass on its draftId.')

/** Runs `build` and converts its error for invalid terms. The message names fields, never their values. */
export function refuseInvalidTerms<T>(build: () => T): T {
  try {
    return build()
  } catch (error) {
    throw error instanceof InvalidTermsError ? refused(error.message) : error
  }
}
