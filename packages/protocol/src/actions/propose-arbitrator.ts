import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { payee } from '../wire.ts'

/** A party proposes another wallet. An arbitrator that the terms or both parties name proposes itself: it accepts the case. */
export const proposeArbitrator = defineAction({
  name: 'propose-arbitrator',
  verb: 'Propose arbitrator',
  title: 'Propose an arbitrator, or accept the case',
  done: 'Proposed an arbitrator, or accepted the case',
  explain:
    'Proposes an arbitrator for the dispute; one that the terms or both parties name accepts the case by proposing itself, which locks 125 % of the milestone of its bond, at least 2,000 TOK.',
  operation: { dispute: 'propose' },
  input: z.strictObject({ taskId, arbitrator: payee }),
  contract: 'arbitration',
  functions: ['propose(uint256 taskId, address arbitrator)'],
  // Only an arbitrator proposes itself.
  derive: {
    arbitrator: ({ task }, wallet) => (wallet === task.poster || wallet === task.worker ? undefined : wallet),
  },
  proof: ['ArbitratorProposed', 'JudgeSeated'],
})
