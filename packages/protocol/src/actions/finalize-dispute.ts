import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const finalizeDispute = defineAction({
  name: 'finalize-dispute',
  verb: 'Carry out ruling',
  title: 'Carry out the ruling',
  done: 'Carried out the ruling',
  explain: 'Pays out a ruling that nobody appealed in time; anyone can do this.',
  operation: { dispute: 'finalize' },
  input: z.strictObject({ taskId }),
  contract: 'arbitration',
  functions: ['finalize(uint256 taskId)'],
  proof: ['CaseClosed'],
})
