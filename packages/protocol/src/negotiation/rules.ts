import type { MessageType } from './messageTypes.ts'
import type { Negotiation, NegotiationPhase } from './state.ts'

/** Who may send a message. `supervisor`: a wallet that a party linked as its own. */
export type NegotiationRole = 'poster' | 'worker' | 'supervisor'

/** One row: this message, in these phases, by this role, leads there. */
export interface NegotiationRule {
  type: MessageType
  from: readonly NegotiationPhase[]
  by: NegotiationRole | 'party'
  /** Chooses between rows of the same message, phase and role, by what the message made of the negotiation. */
  when?: keyof typeof negotiationOutcomes
  to: NegotiationPhase | 'same'
}

/** What a message can bring about, read from the negotiation after it. */
export const negotiationOutcomes = {
  'both accepted': ({ acceptances }: Negotiation) => Boolean(acceptances.poster && acceptances.worker),
  'one accepted': ({ acceptances }: Negotiation) => !(acceptances.poster && acceptances.worker),
  'milestones left': ({ milestone, terms }: Negotiation) => milestone < terms.milestones.length,
  'none left': ({ milestone, terms }: Negotiation) => milestone >= terms.milestones.length,
  'both part alike': (after: Negotiation) => partAlike(after),
  'they part differently': (after: Negotiation) => !partAlike(after),
} as const

const open = ['OFFERED', 'HALF_ACCEPTED'] as const
const agreed = ['AGREED', 'DELIVERED', 'DISPUTED'] as const

/** Who may say what when. A message that matches no row is refused; the rest of its reasons stands with its kind. */
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
  // Accepting is not paying: the worker may ask for what the chain did not pay yet.
  { type: 'PaymentRequest', from: ['AGREED', 'DELIVERED', 'DONE'], by: 'worker', to: 'same' },
  { type: 'MutualCancel', from: agreed, by: 'party', when: 'they part differently', to: 'same' },
  { type: 'MutualCancel', from: agreed, by: 'party', when: 'both part alike', to: 'CANCELLED' },

  { type: 'IdentityLink', from: [...open, ...agreed], by: 'party', to: 'same' },
]

/** The messages that a role may send in a phase. */
export function allowedMessages(phase: NegotiationPhase, sender: NegotiationRole): MessageType[] {
  return [...new Set(rulesFor(phase, sender).map(({ type }) => type))]
}

/** The phase after a message; undefined: no rule allows it. */
export function nextPhase(
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

function partAlike({ cancels: { poster, worker } }: Negotiation): boolean {
  return (
    poster !== undefined &&
    worker !== undefined &&
    poster.taskId.number === worker.taskId.number &&
    poster.milestone === worker.milestone &&
    poster.workerBps === worker.workerBps
  )
}
