import { sealTerms, type TermsDocument, termsDocument } from '@svc/protocol'
import { parseDraftMilestones } from '@svc/protocol/internal/terms'
import type { MessageType, Negotiation } from '@svc/protocol/negotiation'
import { keccak256, stringToHex } from 'viem'
import * as z from 'zod/mini'
import { UsageError } from './describeExit.ts'

type Json = Record<string, unknown>

/**
 * Adds what follows from the negotiation or from the payload itself: the current milestone, hashes of text, digests. Given
 * fields win. Milestones are written as in a draft, and sent in the form of the terms document.
 */
export function fillPayload(type: MessageType, given: Json, state: Negotiation): Json {
  const json =
    type === 'MilestoneDefinition'
      ? { ...given, milestones: encodeMilestones(parseDraftMilestones(given.milestones)) }
      : given
  return { ...fillers[type]?.(json, state), ...json }
}

const encodeMilestones = (milestones: TermsDocument['milestones']) =>
  z.encode(termsDocument.shape.milestones, milestones)

const currentMilestone = ({ milestone }: Negotiation) => ({ milestone })
const hashText = (text: unknown) => (typeof text === 'string' ? keccak256(stringToHex(text)) : undefined)

const fillers: Partial<Record<MessageType, (json: Json, state: Negotiation) => Json>> = {
  DeliveryNotice: (_json, state) => currentMilestone(state),
  AcceptDelivery: (_json, state) => currentMilestone(state),
  PaymentRequest: (_json, state) => currentMilestone(state),
  RevisionRequest: ({ reason }, state) => ({ ...currentMilestone(state), reasonHash: hashText(reason) }),
  DisputeEvidence: ({ evidence }, state) => ({ ...currentMilestone(state), evidenceHash: hashText(evidence) }),
  SupervisorVeto: (_json, { terms }) => ({ settlementDigest: terms.settlementDigest }),
  MilestoneDefinition: (json, { terms }) => amendTerms(terms, json, 'milestones'),
  // In a dispute it changes no terms.
  ArbitratorProposal: (json, { terms, phase }) => (phase === 'DISPUTED' ? {} : amendTerms(terms, json, 'arbitrator')),
}

/** Computes the digest of the current terms with one field changed. */
function amendTerms(terms: TermsDocument, json: Json, field: 'milestones' | 'arbitrator'): Json {
  const { success, data } = z.safeParse(termsDocument.shape[field], json[field])
  if (!success) throw new UsageError(`The payload's ${field} is missing or does not match.`)
  return { replaces: terms.settlementDigest, settlementDigest: sealTerms({ ...terms, [field]: data }).settlementDigest }
}
