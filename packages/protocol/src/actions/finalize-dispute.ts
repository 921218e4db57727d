import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const finalizeDispute = defineAction({
  name: 'finalize-dispute',
  summary: 'Carry out a ruling that nobody appealed; anyone may.',
  operation: { dispute: 'finalize' },
  input: z.strictObject({ taskId }),
  contract: 'arbitration',
  functions: ['finalize(uint256 taskId)'],
  proof: ['CaseClosed'],
})
