import { type Address, type Hex, hashTypedData, keccak256, stringToHex } from 'viem'
import * as z from 'zod/mini'
import { bytes32, milestone, nonce, nonZeroHash, seconds, shareBps, signatureBytes } from '../../base/wire.ts'
import { disputePhases, taskStates } from '../../tasks/states.ts'
import { taskId } from '../../tasks/taskIdSchema.ts'
import { prose } from '../../tasks/taskText.ts'
import { toSigningContext } from '../../terms/terms.ts'
import { buildMutualCancelTypedData, type RegistryContext } from '../../terms/typedData.ts'
import type { Changes, Kind } from '../kind.ts'
import { assertAllowed } from '../messageErrors.ts'
import { cancellableStates, type MutualCancelPayload, type Negotiation } from '../state.ts'
import { links } from './statements.ts'

const deliveryNoticePayload = z.strictObject({
  milestone,
  /** The hash that `markDelivered` takes. */
  proofHash: nonZeroHash,
  links: z.optional(links),
  note: z.optional(prose),
})

/** The worker delivered the current milestone. */
export const deliveryNotice = {
  payload: deliveryNoticePayload,
  apply: ({ milestone }, { state }) => assertCurrentMilestone(milestone, state),
} as const satisfies Kind<z.output<typeof deliveryNoticePayload>>

const acceptDeliveryPayload = z.strictObject({ milestone })

/** The poster accepts a delivery, or concedes a dispute. The next milestone becomes the current one. */
export const acceptDelivery = {
  payload: acceptDeliveryPayload,
  apply: ({ milestone }, { state }) => ({
    ...assertCurrentMilestone(milestone, state),
    milestone: state.milestone + 1,
    revisions: 0,
  }),
} as const satisfies Kind<z.output<typeof acceptDeliveryPayload>>

const revisionRequestPayload = z.strictObject({
  milestone,
  /** keccak256 of the reason, as `requestRevision` takes it. */
  reasonHash: bytes32,
  reason: prose,
})

/** The poster requests changes to a delivery, as often as the terms allow. */
export const revisionRequest = {
  payload: revisionRequestPayload,
  apply: ({ milestone, reasonHash, reason }, { state }) => {
    const { terms, revisions } = state
    assertAllowed(reasonHash === keccak256(stringToHex(reason)), 'its reasonHash does not match its reason.')
    assertAllowed(revisions < terms.maxRevisions, `the terms allow only ${terms.maxRevisions} revisions per milestone.`)
    return { ...assertCurrentMilestone(milestone, state), revisions: revisions + 1 }
  },
} as const satisfies Kind<z.output<typeof revisionRequestPayload>>

const paymentRequestPayload = z.strictObject({ milestone, note: z.optional(prose) })

/** The worker requests payment for a delivered milestone, whether it was accepted or not. */
export const paymentRequest = {
  payload: paymentRequestPayload,
  apply: ({ milestone }, { state }) => {
    const delivered = state.milestone + (state.phase === 'DELIVERED' ? 1 : 0)
    assertAllowed(milestone < BigInt(delivered), `milestone index ${milestone} has not been delivered yet.`)
    return {}
  },
} as const satisfies Kind<z.output<typeof paymentRequestPayload>>

const disputeEvidencePayload = z.strictObject({
  milestone,
  /** keccak256 of the evidence, as `openDispute` and `submitEvidence` take it. */
  evidenceHash: nonZeroHash,
  /** Omitted if the evidence is not text or should not be disclosed yet. */
  evidence: z.optional(prose),
})

/** A party disputes a delivery, or adds evidence to a dispute. */
export const disputeEvidence = {
  payload: disputeEvidencePayload,
  apply: ({ milestone, evidenceHash, evidence }, { state }) => {
    const isItsHash = evidence === undefined || evidenceHash === keccak256(stringToHex(evidence))
    assertAllowed(isItsHash, 'its evidenceHash does not match its evidence.')
    return assertCurrentMilestone(milestone, state)
  },
} as const satisfies Kind<z.output<typeof disputeEvidencePayload>>

/** A signed offer to end a task, as JSON. */
export const cancelOffer = z.strictObject({
  taskId,
  settlementDigest: bytes32,
  milestone,
  /** Where the task stands; the signature is valid only there. */
  state: z.enum(cancellableStates),
  /** Unix seconds; zero if nothing is in review. */
  reviewEnd: seconds,
  disputePhase: z.enum(disputePhases),
  /** The worker's share of the money in escrow. */
  workerBps: shareBps,
  nonce,
  /** Unix seconds. */
  expiry: seconds,
  /** The sender's `MutualCancel` signature, in the form that `mutualCancel` of the registry takes. */
  signature: signatureBytes,
})

/** A party offers to cancel with a share for the worker. The signature is valid on chain. Both parties must offer the same. */
export const mutualCancel = {
  payload: cancelOffer,
  apply: async (offer, { state, party, sender, sentAt, isSigned }) => {
    const { taskId, settlementDigest, milestone, nonce, expiry, signature } = offer
    const { terms, acceptances, cancels } = state
    assertAllowed(
      taskId.market === terms.market,
      `its task is in the ${taskId.market} market, but the terms are for ${terms.market}.`,
    )
    assertAllowed(
      settlementDigest === terms.settlementDigest,
      `it cancels ${settlementDigest}, but the parties agreed on ${terms.settlementDigest}.`,
    )
    assertAllowed(expiry >= sentAt, 'its signature had already expired when it was sent.')
    const spent = [acceptances[party]?.nonce, ...(party === 'poster' ? [terms.nonce] : [])]
    assertAllowed(
      !spent.includes(nonce),
      `its nonce ${nonce} was used when the task was created. The sender must use another one.`,
    )
    const signed = hashCancelOffer(toSigningContext(terms), offer, sender)
    assertAllowed(await isSigned(signed, signature), 'its cancellation was not signed by its sender.')
    return { ...assertCurrentMilestone(milestone, state), cancels: { ...cancels, [party]: offer } }
  },
} as const satisfies Kind<MutualCancelPayload>

/** Hashes an offer to end a task as its party signs it and the registry checks it. */
export function hashCancelOffer(
  context: RegistryContext,
  { taskId, state, disputePhase, signature: _, ...offer }: MutualCancelPayload,
  party: Address,
): Hex {
  return hashTypedData(
    buildMutualCancelTypedData(context, {
      ...offer,
      taskId: taskId.number,
      state: taskStates.indexOf(state),
      disputePhase: disputePhases.indexOf(disputePhase),
      party,
    }),
  )
}

/** Rejects a message about a milestone other than the current one. Changes nothing. */
function assertCurrentMilestone(milestone: bigint, state: Negotiation): Changes {
  assertAllowed(
    milestone === BigInt(state.milestone),
    `it is about milestone index ${milestone}, but the current one is ${state.milestone}.`,
  )
  return {}
}
