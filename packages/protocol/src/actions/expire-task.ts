import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const expireTask = defineAction({
  name: 'expire-task',
  summary: 'End a wait whose time is over: an unclaimed task, a lapsed claim, a missed deadline.',
  operation: { task: 'expire' },
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['expire(uint256 taskId)'],
  proof: ['TaskExpired'],
})
