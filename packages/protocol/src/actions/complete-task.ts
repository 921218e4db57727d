import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const completeTask = defineAction({
  name: 'complete-task',
  verb: 'Approve all and pay',
  title: 'Approve everything and pay',
  done: 'Approved everything and paid',
  explain: 'Accepts all remaining milestones and pays the worker everything that is left in escrow.',
  operation: { task: 'complete' },
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['complete(uint256 taskId)'],
  proof: ['TaskCompleted'],
})
