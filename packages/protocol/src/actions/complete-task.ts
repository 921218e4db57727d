import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const completeTask = defineAction({
  name: 'complete-task',
  summary: 'Accept everything and pay all that is left to the worker.',
  operation: { task: 'complete' },
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['complete(uint256 taskId)'],
  proof: ['TaskCompleted'],
})
