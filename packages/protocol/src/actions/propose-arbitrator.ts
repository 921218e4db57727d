import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { payee } from '../wire.ts'

export const proposeArbitrator = defineAction({
  name: 'propose-arbitrator',
  summary: 'Name an arbitrator for the dispute; when both parties name the same one, it sits.',
  operation: { dispute: 'propose' },
  input: z.strictObject({ taskId, arbitrator: payee }),
  contract: 'arbitration',
  functions: ['propose(uint256 taskId, address arbitrator)'],
  proof: ['ArbitratorProposed'],
})
