import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const escalate = defineAction({
  name: 'escalate',
  verb: 'Appeal',
  title: 'Appeal the ruling',
  done: 'Appealed the ruling',
  explain: 'Takes the ruling to the final court; 10 USDC of your deposit pay for it, unless the court stays silent.',
  operation: { dispute: 'escalate' },
  input: z.strictObject({ taskId }),
  contract: 'arbitration',
  functions: ['escalate(uint256 taskId)'],
  deadline: 'court',
  proof: ['Escalated'],
})
