import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const expireTask = defineAction({
  name: 'expire-task',
  verb: 'Close overdue task',
  title: 'Close an overdue task',
  done: 'Closed the overdue task',
  explain:
    'Ends a wait whose deadline has passed: an unclaimed task, a claim that was not started or a missed delivery; whoever missed a duty loses the exit deposit and 8 USDC.',
  operation: { task: 'expire' },
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['expire(uint256 taskId)'],
  proof: ['TaskExpired'],
})
