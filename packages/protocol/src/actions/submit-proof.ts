import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { milestone, nonZeroHash, storageReceipt } from '../wire.ts'

/** With a store in the terms and no receipt of it, silence does not pay: see `attachReceipt`. */
export const submitProof = defineAction({
  name: 'submit-proof',
  verb: 'Submit work',
  title: 'Submit your work',
  done: 'Submitted the work',
  explain:
    "Delivers the current milestone by the hash of its proof; the poster's review begins. If the terms name a store, only a delivery with its receipt is paid without an answer.",
  operation: { task: 'markDelivered' },
  input: z.strictObject({ taskId, milestone, proofHash: nonZeroHash, receipt: z.optional(storageReceipt) }),
  contract: 'taskRegistry',
  functions: ['markDelivered(uint256 taskId, uint256 milestone, bytes32 proofHash, Receipt receipt)'],
  derive: { milestone: ({ task }) => BigInt(task.current) },
  // A second delivery only brings the receipt that the first one lacked.
  required: ({ task }) => (task.reviewEnd === 0 ? [] : ['receipt']),
  deadline: 'review',
  proof: ['MilestoneDelivered'],
})
