import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

/** Costs the fee and USD 5 of the reserve, unless the claim lapsed. */
export const leaveTask = defineAction({
  name: 'leave-task',
  verb: 'Leave task',
  title: 'Leave the task',
  done: 'Left the task',
  explain:
    'Gives up the task you are working on; it costs the access fee and 5 USDC of your deposit, unless the claim lapsed.',
  operation: { task: 'leaveTask' },
  side: 'worker',
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['leaveTask(uint256 taskId)'],
  proof: ['WorkerLeft'],
})
