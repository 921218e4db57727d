import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const escalate = defineAction({
  name: 'escalate',
  summary: 'Appeal a ruling to a larger panel, with a bond from your deposit.',
  operation: { dispute: 'escalate' },
  input: z.strictObject({ taskId }),
  contract: 'arbitration',
  functions: ['escalate(uint256 taskId)'],
  clock: 'seat',
  proof: ['Escalated'],
})
