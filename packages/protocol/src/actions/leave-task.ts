import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const leaveTask = defineAction({
  name: 'leave-task',
  verb: 'Leave task',
  title: 'Leave the task',
  done: 'Left the task',
  explain:
    'Gives up the task you are working on; it costs your exit deposit of 1,000 TOK and 2.50 USDC of your deposit, less than a missed deadline.',
  operation: { task: 'leaveTask' },
  side: 'worker',
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['leaveTask(uint256 taskId)'],
  proof: ['WorkerLeft'],
})
