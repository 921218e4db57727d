import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { milestone, nonZeroHash } from '../wire.ts'

export const submitProof = defineAction({
  name: 'submit-proof',
  verb: 'Submit work',
  title: 'Submit your work',
  done: 'Submitted the work',
  explain: "Delivers the current milestone by the hash of its proof; the poster's review window begins.",
  operation: { task: 'markDelivered' },
  input: z.strictObject({ taskId, milestone, proofHash: nonZeroHash }),
  contract: 'taskRegistry',
  functions: ['markDelivered(uint256 taskId, uint256 milestone, bytes32 proofHash)'],
  derive: { milestone: ({ task }) => BigInt(task.current) },
  deadline: 'review',
  proof: ['MilestoneDelivered'],
})
