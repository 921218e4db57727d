import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const escalate = defineAction({
  name: 'escalate',
  verb: 'Appeal',
  title: 'Appeal the ruling',
  done: 'Appealed the ruling',
  explain: 'Takes the ruling to a larger panel; an appeal bond is reserved from your deposit.',
  operation: { dispute: 'escalate' },
  input: z.strictObject({ taskId }),
  contract: 'arbitration',
  functions: ['escalate(uint256 taskId)'],
  deadline: 'seat',
  proof: ['Escalated'],
})
