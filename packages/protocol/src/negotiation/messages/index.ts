import type * as z from 'zod/mini'
import type { Kind } from '../kind.ts'
import type { MessageType } from '../messageTypes.ts'
import { acceptDelivery } from './accept-delivery.ts'
import { arbitratorProposal } from './arbitrator-proposal.ts'
import { capabilityProof } from './capability-proof.ts'
import { counterOffer } from './counter-offer.ts'
import { deliveryNotice } from './delivery-notice.ts'
import { disputeEvidence } from './dispute-evidence.ts'
import { identityLink } from './identity-link.ts'
import { milestoneDefinition } from './milestone-definition.ts'
import { mutualCancel } from './mutual-cancel.ts'
import { paymentRequest } from './payment-request.ts'
import { replacementContext } from './replacement-context.ts'
import { revisionRequest } from './revision-request.ts'
import { supervisorVeto } from './supervisor-veto.ts'
import { taskAcceptance } from './task-acceptance.ts'
import { taskProposal } from './task-proposal.ts'

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
