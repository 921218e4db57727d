import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { payee } from '../wire.ts'

export const proposeArbitrator = defineAction({
  name: 'propose-arbitrator',
  verb: 'Propose arbitrator',
  title: 'Propose an arbitrator',
  done: 'Proposed an arbitrator',
  explain: 'Proposes an arbitrator for the dispute; the one that both parties propose decides it.',
  operation: { dispute: 'propose' },
  input: z.strictObject({ taskId, arbitrator: payee }),
  contract: 'arbitration',
  functions: ['propose(uint256 taskId, address arbitrator)'],
  proof: ['ArbitratorProposed'],
})
