import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { bytes32, signature } from '../wire.ts'

/** The digest is that of the terms the worker read, with the worker in them: nobody can slip in others. */
export const claimTask = defineAction({
  name: 'claim-task',
  verb: 'Claim task',
  title: 'Claim the task',
  done: 'Claimed the task',
  explain: 'Claims an open task and makes you its worker; locks an exit deposit of 1,000 TOK until the task ends.',
  operation: { task: 'claim' },
  side: 'worker',
  input: z.strictObject({ taskId, settlementDigest: bytes32, permit: z.optional(signature) }),
  contract: 'taskRegistry',
  functions: [
    'claimWithPermit(uint256 taskId, bytes32 settlementDigest, Signature permit)',
    'claim(uint256 taskId, bytes32 settlementDigest)',
  ],
  required: ({ task }) => (task.claimPolicy === 'PERMIT' ? ['permit'] : []),
  deadline: 'funding',
  proof: ['TaskClaimed'],
})
