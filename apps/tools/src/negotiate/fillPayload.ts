import { sealTerms, type TermsDocument, termsDocument } from '@svc/protocol'
import type { MessageType, Negotiation } from '@svc/protocol/negotiation'
import { keccak256, stringToHex } from 'viem'
import * as z from 'zod/mini'
import { UsageError } from './exitOf.ts'

type Json = Record<string, unknown>

/** Adds what follows from the negotiation or from the payload itself: the milestone in work, hashes of words, digests. What is given stays. */
export function fillPayload(type: MessageType, json: Json, state: Negotiation): Json {
  return { ...fillers[type]?.(json, state), ...json }
}

const inWork = ({ milestone }: Negotiation) => ({ milestone })
const hashOf = (words: unknown) => (typeof words === 'string' ? keccak256(stringToHex(words)) : undefined)

const fillers: Partial<Record<MessageType, (json: Json, state: Negotiation) => Json>> = {
  DeliveryNotice: (_json, state) => inWork(state),
  AcceptDelivery: (_json, state) => inWork(state),
  PaymentRequest: (_json, state) => inWork(state),
  RevisionRequest: ({ reason }, state) => ({ ...inWork(state), reasonHash: hashOf(reason) }),
  DisputeEvidence: ({ evidence }, state) => ({ ...inWork(state), evidenceHash: hashOf(evidence) }),
  SupervisorVeto: (_json, { terms }) => ({ settlementDigest: terms.settlementDigest }),
  MilestoneDefinition: (json, { terms }) => amended(terms, json, 'milestones'),
  // In a dispute it is a word only.
  ArbitratorProposal: (json, { terms, phase }) => (phase === 'DISPUTED' ? {} : amended(terms, json, 'arbitrator')),
}

/** The digest of the standing terms with one field changed. */
function amended(terms: TermsDocument, json: Json, field: 'milestones' | 'arbitrator'): Json {
  const { success, data } = z.safeDecode(termsDocument.shape[field], json[field] as never)
  if (!success) throw new UsageError(`The payload's ${field} is missing or wrong.`)
  return { replaces: terms.settlementDigest, settlementDigest: sealTerms({ ...terms, [field]: data }).settlementDigest }
}
