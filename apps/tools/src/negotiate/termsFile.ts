import { createSigningContext, type Deployments } from '@svc/chain'
import {
  buildTermsFromDraft,
  findTermsProblems,
  InvalidTermsError,
  parseTermsDraft,
  type TermsDocument,
  termsDocument,
  verifyTerms,
} from '@svc/protocol'
import { describeDraftIssue } from '@svc/protocol/internal/terms'
import type { Address } from 'viem'
import * as z from 'zod/mini'
import { randomNonce } from '../randomNonce.ts'
import { UsageError } from './describeExit.ts'

interface ProposalContext {
  deployments: Deployments
  me: Address
  /** Unix seconds. */
  now: number
}

/**
 * Reads the terms that a file proposes: a terms document of `build-task-terms`, or a draft, whose missing party is the
 * writer. Throws an error if the registry would refuse them.
 */
export function readProposedTerms(json: unknown, { deployments, me, now }: ProposalContext): TermsDocument {
  if (typeof json === 'object' && json !== null && 'settlementDigest' in json) return parseDocument(json, now)
  const draft = parseTermsDraft(json)
  const { poster = me, worker = me } = draft
  if (poster === worker) throw new UsageError('The draft names only you: name the other party as poster or worker.')
  return buildTermsFromDraft(draft, {
    signing: (market) => createSigningContext(deployments, market),
    poster,
    worker,
    now,
    nonce: randomNonce(),
  })
}

function parseDocument(json: object, now: number): TermsDocument {
  const { success, data: terms, error } = z.safeParse(termsDocument, json)
  if (!success) throw new UsageError(`Not a terms document. ${describeDraftIssue(error, json)}`)
  if (!verifyTerms(terms)) throw new UsageError('The hashes in the terms document do not match its text and numbers.')
  const [problem] = findTermsProblems(terms, now)
  if (problem) throw new InvalidTermsError(problem)
  return terms
}
