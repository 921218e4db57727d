import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { givenHash, milestone } from '../wire.ts'

export const submitProof = defineAction({
  name: 'submit-proof',
  summary: 'Deliver the milestone in work, by the hash of its proof.',
  operation: { task: 'markDelivered' },
  input: z.strictObject({ taskId, milestone, proofHash: givenHash }),
  contract: 'taskRegistry',
  functions: ['markDelivered(uint256 taskId, uint256 milestone, bytes32 proofHash)'],
  known: ({ task }) => ({ milestone: BigInt(task.current) }),
  clock: 'review',
  proof: ['MilestoneDelivered'],
})
