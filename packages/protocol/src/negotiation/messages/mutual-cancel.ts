import { hashTypedData } from 'viem'
import * as z from 'zod/mini'
import { taskId } from '../../taskId.ts'
import { contextOf } from '../../terms.ts'
import { mutualCancelTypedData } from '../../typedData.ts'
import { bytes32, milestone, nonce, seconds, shareBps, signatureBytes } from '../../wire.ts'
import { inWork } from '../inWork.ts'
import type { Kind } from '../kind.ts'
import { demand } from '../refusal.ts'

const payload = z.strictObject({
  taskId,
  settlementDigest: bytes32,
  milestone,
  /** What the worker gets of the money that is held. */
  workerBps: shareBps,
  nonce,
  /** Unix seconds. */
  expiry: seconds,
  /** The sender's `MutualCancel`, as the registry's `mutualCancel` takes it. */
  signature: signatureBytes,
})

export type MutualCancelPayload = z.output<typeof payload>

/** A party's word for parting with a share for the worker, good on chain as it is. It counts when both gave the same. */
export const mutualCancel = {
  payload,
  apply: async (offer, { state, party, sender, sentAt, isSigned }) => {
    const { taskId, settlementDigest, milestone, workerBps, nonce, expiry, signature } = offer
    const { terms, acceptances, cancels } = state
    demand(taskId.market === terms.market, `its task is of the ${taskId.market} market, the terms of ${terms.market}.`)
    demand(
      settlementDigest === terms.settlementDigest,
      `it cancels ${settlementDigest}, but ${terms.settlementDigest} was agreed.`,
    )
    demand(expiry >= sentAt, 'its signature had expired when it was sent.')
    const spent = [acceptances[party]?.nonce, ...(party === 'poster' ? [terms.nonce] : [])]
    demand(
      !spent.includes(nonce),
      `its nonce ${nonce} was spent when the task was created: its sender needs another one.`,
    )
    const message = { taskId: taskId.number, settlementDigest, milestone, workerBps, party: sender, nonce, expiry }
    const signed = hashTypedData(mutualCancelTypedData(contextOf(terms), message))
    demand(await isSigned(signed, signature), 'the cancellation in it is not signed by its sender.')
    return { ...inWork(milestone, state), cancels: { ...cancels, [party]: offer } }
  },
} as const satisfies Kind<MutualCancelPayload>
