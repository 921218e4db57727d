import { type Address, type Hex, hashTypedData } from 'viem'
import * as z from 'zod/mini'
import { disputePhases, taskStates } from '../../states.ts'
import { taskId } from '../../taskId.ts'
import { toSigningContext } from '../../terms/terms.ts'
import { buildMutualCancelTypedData, type RegistryContext } from '../../typedData.ts'
import { bytes32, milestone, nonce, seconds, shareBps, signatureBytes } from '../../wire.ts'
import { assertCurrentMilestone } from '../assertCurrentMilestone.ts'
import type { Kind } from '../kind.ts'
import { assertAllowed } from '../messageErrors.ts'
import { cancellableStates, type MutualCancelPayload } from '../state.ts'

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
