import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

/** Costs the fee and USD 5 of the reserve, unless the claim lapsed. */
export const leaveTask = defineAction({
  name: 'leave-task',
  summary: 'Give up the task you work on.',
  operation: { task: 'leaveTask' },
  as: 'worker',
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['leaveTask(uint256 taskId)'],
  proof: ['WorkerLeft'],
})
