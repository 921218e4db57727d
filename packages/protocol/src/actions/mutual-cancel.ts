import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { shareBps, signature } from '../wire.ts'

/** Both signatures name the worker's share, the settlement digest and where the task stands: an old signature ends nothing new. */
export const mutualCancel = defineAction({
  name: 'mutual-cancel',
  verb: 'Cancel by agreement',
  title: 'Cancel the task by agreement',
  done: 'Cancelled the task by agreement',
  explain:
    'Ends the task with the signatures of both parties and divides what is in escrow; both get their exit deposits back.',
  operation: { task: 'mutualCancel' },
  input: z.strictObject({ taskId, workerBps: shareBps, posterSignature: signature, workerSignature: signature }),
  contract: 'taskRegistry',
  functions: ['mutualCancel(uint256 taskId, uint256 workerBps, Signature posterSignature, Signature workerSignature)'],
  proof: ['TaskMutuallyCancelled'],
})
