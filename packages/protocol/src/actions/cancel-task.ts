import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const cancelTask = defineAction({
  name: 'cancel-task',
  summary: 'Take your unclaimed task back; what is in escrow returns to you.',
  operation: { task: 'cancel' },
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['cancel(uint256 taskId)'],
  proof: ['TaskCancelled'],
})
