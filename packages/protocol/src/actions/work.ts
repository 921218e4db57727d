import * as z from 'zod/mini'
import { milestone, nonZeroHash, storageReceipt } from '../base/wire.ts'
import { taskId } from '../tasks/taskIdSchema.ts'
import { defineAction } from './action.ts'

/** With a store in the terms and no receipt of it, silence does not pay: a second delivery can bring the receipt. */
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

export const requestRevision = defineAction({
  name: 'request-revision',
  verb: 'Request changes',
  title: 'Request changes',
  done: 'Requested changes',
  explain:
    'Sends the delivery back to the worker with the hash of your reasons; the worker gets more time if little is left.',
  operation: { task: 'requestRevision' },
  input: z.strictObject({ taskId, milestone, reasonHash: nonZeroHash }),
  contract: 'taskRegistry',
  functions: ['requestRevision(uint256 taskId, uint256 milestone, bytes32 reasonHash)'],
  derive: { milestone: ({ task }) => BigInt(task.current) },
  deadline: 'milestone',
  proof: ['RevisionRequested'],
})

/** In a dispute this concedes it: the milestone is paid in full. After a ruling it is too late for that. */
export const acceptMilestone = defineAction({
  name: 'accept-milestone',
  verb: 'Approve and pay',
  title: 'Approve the milestone and pay',
  done: 'Approved and paid the milestone',
  explain: 'Accepts the current milestone and pays the worker for it; in a dispute nobody has ruled on, this concedes.',
  operation: { task: 'release' },
  input: z.strictObject({ taskId, milestone }),
  contract: 'taskRegistry',
  functions: ['release(uint256 taskId, uint256 milestone)'],
  derive: { milestone: ({ task }) => BigInt(task.current) },
  deadline: 'milestone',
  proof: ['MilestoneReleased'],
})

export const releaseLapsed = defineAction({
  name: 'release-lapsed',
  verb: 'Release payment',
  title: 'Release an overdue payment',
  done: 'Released the overdue payment',
  explain:
    'Pays the worker for a delivery that the poster did not answer in time, if the terms name no store or it signed a receipt; anyone can do this.',
  operation: { task: 'releaseLapsed' },
  input: z.strictObject({ taskId, milestone }),
  contract: 'taskRegistry',
  functions: ['releaseLapsed(uint256 taskId, uint256 milestone)'],
  derive: { milestone: ({ task }) => BigInt(task.current) },
  deadline: 'milestone',
  proof: ['MilestoneReleased'],
})
