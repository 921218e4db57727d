import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { bytes32, signature } from '../wire.ts'

/** The digest is that of the terms the worker read, with the worker in them: nobody can slip in others. */
export const claimTask = defineAction({
  name: 'claim-task',
  summary: 'Claim a posted task as its worker.',
  operation: { task: 'claim' },
  as: 'worker',
  input: z.strictObject({ taskId, settlementDigest: bytes32, permit: z.optional(signature) }),
  contract: 'taskRegistry',
  functions: [
    'claimWithPermit(uint256 taskId, bytes32 settlementDigest, Signature permit)',
    'claim(uint256 taskId, bytes32 settlementDigest)',
  ],
  needs: ({ task }) => (task.claimPolicy === 'PERMIT' ? ['permit'] : []),
  clock: 'funding',
  proof: ['TaskClaimed'],
})
