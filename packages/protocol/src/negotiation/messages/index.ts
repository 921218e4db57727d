import type * as z from 'zod/mini'
import type { Kind } from '../kind.ts'
import type { MessageType } from '../messageTypes.ts'
import { arbitratorProposal, counterOffer, milestoneDefinition, taskAcceptance, taskProposal } from './offers.ts'
import { capabilityProof, identityLink, replacementContext, supervisorVeto } from './statements.ts'
import {
  acceptDelivery,
  deliveryNotice,
  disputeEvidence,
  mutualCancel,
  paymentRequest,
  revisionRequest,
} from './work.ts'

/** Every kind of message by the `type` of its envelope. */
export const kinds = {
  TaskProposal: taskProposal,
  TaskAcceptance: taskAcceptance,
  TaskCounterOffer: counterOffer,
  DeliveryNotice: deliveryNotice,
  AcceptDelivery: acceptDelivery,
  DisputeEvidence: disputeEvidence,
  ArbitratorProposal: arbitratorProposal,
  MilestoneDefinition: milestoneDefinition,
  RevisionRequest: revisionRequest,
  PaymentRequest: paymentRequest,
  CapabilityProof: capabilityProof,
  MutualCancel: mutualCancel,
  ReplacementContext: replacementContext,
  SupervisorVeto: supervisorVeto,
  IdentityLink: identityLink,
} as const satisfies { [Type in MessageType]: Kind<unknown> }

/** A payload as JSON. */
export type MessagePayloadJson<Type extends MessageType> = z.input<(typeof kinds)[Type]['payload']>
/** A payload with amounts and times as bigint. */
export type MessagePayload<Type extends MessageType> = z.output<(typeof kinds)[Type]['payload']>
