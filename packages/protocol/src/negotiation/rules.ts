import type { MessageType } from './messageTypes.ts'
import type { Negotiation, NegotiationPhase } from './state.ts'

/** Who can send a message. `supervisor`: a wallet that a party linked as its supervisor. */
export type NegotiationRole = 'poster' | 'worker' | 'supervisor'

/** One row of the table: a message, the phases in which a role can send it, and the next phase. */
export interface NegotiationRule {
  type: MessageType
  from: readonly NegotiationPhase[]
  by: NegotiationRole | 'party'
  /** Selects between rows of the same message, phase and role, by the negotiation after the message. */
  when?: keyof typeof negotiationOutcomes
  to: NegotiationPhase | 'same'
}

/** Conditions on the negotiation after a message. */
export const negotiationOutcomes = {
  'both accepted': ({ acceptances }: Negotiation) => Boolean(acceptances.poster && acceptances.worker),
  'one accepted': ({ acceptances }: Negotiation) => !(acceptances.poster && acceptances.worker),
  'milestones left': ({ milestone, terms }: Negotiation) => milestone < terms.milestones.length,
  'none left': ({ milestone, terms }: Negotiation) => milestone >= terms.milestones.length,
  'both cancel alike': (after: Negotiation) => cancelAlike(after),
  'their cancels differ': (after: Negotiation) => !cancelAlike(after),
} as const

const open = ['OFFERED', 'HALF_ACCEPTED'] as const
const agreed = ['AGREED', 'DELIVERED', 'DISPUTED'] as const

/** Who can send which message in which phase. A message without a row is rejected. The other rules are with each kind. */
export const negotiationRules: readonly NegotiationRule[] = [
  { type: 'TaskProposal', from: ['EMPTY'], by: 'party', to: 'OFFERED' },

  { type: 'TaskCounterOffer', from: open, by: 'party', to: 'OFFERED' },
  { type: 'MilestoneDefinition', from: open, by: 'party', to: 'OFFERED' },
  { type: 'ArbitratorProposal', from: open, by: 'party', to: 'OFFERED' },
  { type: 'TaskAcceptance', from: open, by: 'party', when: 'one accepted', to: 'HALF_ACCEPTED' },
  { type: 'TaskAcceptance', from: open, by: 'party', when: 'both accepted', to: 'AGREED' },
  { type: 'SupervisorVeto', from: open, by: 'supervisor', to: 'VETOED' },
  { type: 'CapabilityProof', from: open, by: 'worker', to: 'same' },
  { type: 'ReplacementContext', from: open, by: 'poster', to: 'same' },

  { type: 'DeliveryNotice', from: ['AGREED'], by: 'worker', to: 'DELIVERED' },
  { type: 'RevisionRequest', from: ['DELIVERED'], by: 'poster', to: 'AGREED' },
  { type: 'DisputeEvidence', from: ['DELIVERED', 'DISPUTED'], by: 'party', to: 'DISPUTED' },
  { type: 'ArbitratorProposal', from: ['DISPUTED'], by: 'party', to: 'same' },
  { type: 'AcceptDelivery', from: ['DELIVERED', 'DISPUTED'], by: 'poster', when: 'milestones left', to: 'AGREED' },
  { type: 'AcceptDelivery', from: ['DELIVERED', 'DISPUTED'], by: 'poster', when: 'none left', to: 'DONE' },
  // Accepting is not paying: the worker can request what the chain has not paid yet.
  { type: 'PaymentRequest', from: ['AGREED', 'DELIVERED', 'DONE'], by: 'worker', to: 'same' },
  { type: 'MutualCancel', from: agreed, by: 'party', when: 'their cancels differ', to: 'same' },
  { type: 'MutualCancel', from: agreed, by: 'party', when: 'both cancel alike', to: 'CANCELLED' },

  { type: 'IdentityLink', from: [...open, ...agreed], by: 'party', to: 'same' },
]

/**
 * Lists the types of messages that a role can send in a phase.
 *
 * @example
 * ```ts
 * listAllowedMessages(negotiation.phase, 'worker') // ['TaskCounterOffer', 'TaskAcceptance', …]
 * ```
 */
export function listAllowedMessages(phase: NegotiationPhase, sender: NegotiationRole): MessageType[] {
  return [...new Set(rulesFor(phase, sender).map(({ type }) => type))]
}

/** Finds the phase after a message. Returns undefined if no rule allows the message. */
export function findNextPhase(
  type: MessageType,
  sender: NegotiationRole,
  before: NegotiationPhase,
  after: Negotiation,
): NegotiationPhase | undefined {
  const row = rulesFor(before, sender).find(
    (row) => row.type === type && (!row.when || negotiationOutcomes[row.when](after)),
  )
  return row?.to === 'same' ? before : row?.to
}

function rulesFor(phase: NegotiationPhase, sender: NegotiationRole): NegotiationRule[] {
  const allowed = (by: NegotiationRule['by']) => by === sender || (by === 'party' && sender !== 'supervisor')
  return negotiationRules.filter(({ from, by }) => from.includes(phase) && allowed(by))
}

function cancelAlike({ cancels: { poster, worker } }: Negotiation): boolean {
  return (
    poster !== undefined &&
    worker !== undefined &&
    poster.taskId.number === worker.taskId.number &&
    poster.milestone === worker.milestone &&
    poster.state === worker.state &&
    poster.reviewEnd === worker.reviewEnd &&
    poster.disputePhase === worker.disputePhase &&
    poster.workerBps === worker.workerBps
  )
}
