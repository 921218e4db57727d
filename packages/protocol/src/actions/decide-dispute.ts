import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { nonZeroHash } from '../wire.ts'

export const decideDispute = defineAction({
  name: 'decide-dispute',
  verb: 'Submit decision',
  title: 'Decide as the final court',
  done: 'Decided the dispute',
  explain:
    "Picks the worker's or the poster's share as the final court and closes the dispute; an overturned judge pays the appellant, and loses all it locked for what was disputed if its ruling was unfounded.",
  operation: { dispute: 'decide' },
  input: z.strictObject({ taskId, forWorker: z.boolean(), unfounded: z.boolean(), reasonHash: nonZeroHash }),
  contract: 'arbitration',
  functions: ['decide(uint256 taskId, bool forWorker, bool unfounded, bytes32 reasonHash)'],
  proof: ['Decided'],
})
