import { createSigningContext, type Deployments } from '@svc/chain'
import {
  buildTermsFromDraft,
  formatTermsText,
  parseTermsDraft,
  type TermsDocument,
  termsDocument,
  termsWire,
  toTaskTerms,
  verifyTerms,
} from '@svc/protocol'
import { describeDraftIssue, termsDraft } from '@svc/protocol/internal/terms'
import type { Address } from 'viem'
import * as z from 'zod/mini'
import { isForDeployment } from '../parseTerms.ts'
import { randomNonce } from '../randomNonce.ts'
import { PrepareError } from './prepareError.ts'

/** What `--terms` takes: a draft, the document of build-task-terms, or the struct that the registry takes. */
export const termsInput = z.looseObject({}).check((context) => {
  const { error } = z.safeParse(chooseSchema(context.value), context.value)
  if (error) {
    context.issues.push({
      code: 'custom',
      input: context.value,
      path: [],
      message: describeDraftIssue(error, context.value).replace(/\.$/, ''),
    })
  }
})

const chooseSchema = (json: object) =>
  'settlementDigest' in json ? termsDocument : 'amountsTokWei' in json ? termsWire : termsDraft

interface Place {
  deployments: Deployments
  /** The poster of a draft that names none. */
  from: Address
  /** Unix seconds. */
  now: () => Promise<number>
}

/**
 * Replaces a draft or a terms document in an input by the struct, and adds the market, the published text and the worker
 * if they are missing. Throws for a document whose hashes do not match, or that is for another registry.
 */
export async function expandTerms(
  input: Readonly<Record<string, unknown>>,
  shape: Readonly<Record<string, unknown>>,
  place: Place,
): Promise<Record<string, unknown>> {
  const { terms } = input
  if (typeof terms !== 'object' || terms === null || chooseSchema(terms) === termsWire) return { ...input }
  const document = 'settlementDigest' in terms ? parseDocument(terms, place) : await buildDocument(input, shape, place)
  const { market, worker } = document
  if (input.market !== undefined && input.market !== market) {
    throw new PrepareError('usage', `The terms are for the ${market} market, not for ${input.market}.`)
  }
  const derived = { market, text: formatTermsText(document), ...(worker && { worker }) }
  const asked = Object.entries(derived).filter(([name]) => name in shape)
  return { ...Object.fromEntries(asked), ...input, terms: z.encode(termsWire, toTaskTerms(document)) }
}

function parseDocument(json: object, { deployments }: Place): TermsDocument {
  const document = z.parse(termsDocument, json)
  if (!verifyTerms(document)) {
    throw new PrepareError('usage', 'The hashes in the terms document do not match its text and numbers.', {
      hint: 'Build it again with svc-prepare build-task-terms.',
    })
  }
  if (!isForDeployment(document, deployments)) {
    throw new PrepareError('usage', 'The terms document is for other contracts than those of SVC_DEPLOYMENTS.')
  }
  return document
}

async function buildDocument(
  { terms, market }: Readonly<Record<string, unknown>>,
  shape: Readonly<Record<string, unknown>>,
  { deployments, from, now }: Place,
): Promise<TermsDocument> {
  if ('posterAcceptance' in shape) {
    throw new PrepareError('usage', 'A private task is created from the terms document that both parties signed.', {
      hint: 'Build it with svc-prepare build-task-terms, and have both parties accept it.',
    })
  }
  return buildTermsFromDraft(parseTermsDraft({ ...(market !== undefined && { market }), ...(terms as object) }), {
    signing: (each) => createSigningContext(deployments, each),
    poster: from,
    now: await now(),
    nonce: randomNonce(),
  })
}
