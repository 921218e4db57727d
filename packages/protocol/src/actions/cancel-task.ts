import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const cancelTask = defineAction({
  name: 'cancel-task',
  verb: 'Cancel task',
  title: 'Cancel the task',
  done: 'Cancelled the task',
  explain: 'Cancels your unclaimed task and returns what is in escrow and your exit deposit to you.',
  operation: { task: 'cancel' },
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['cancel(uint256 taskId)'],
  proof: ['TaskCancelled'],
})
