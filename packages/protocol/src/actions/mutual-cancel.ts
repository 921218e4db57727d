import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { shareBps, signature } from '../wire.ts'

/** Both signatures name the worker's share, the milestone in work and the settlement digest. */
export const mutualCancel = defineAction({
  name: 'mutual-cancel',
  summary: 'End a task by the signatures of both parties and share what is in escrow.',
  operation: { task: 'mutualCancel' },
  input: z.strictObject({ taskId, workerBps: shareBps, posterSignature: signature, workerSignature: signature }),
  contract: 'taskRegistry',
  functions: ['mutualCancel(uint256 taskId, uint256 workerBps, Signature posterSignature, Signature workerSignature)'],
  proof: ['TaskMutuallyCancelled'],
})
