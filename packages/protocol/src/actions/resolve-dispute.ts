import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { nonZeroHash } from '../wire.ts'

export const resolveDispute = defineAction({
  name: 'resolve-dispute',
  verb: 'Submit ruling',
  title: 'Submit your ruling',
  done: 'Submitted the ruling',
  explain:
    "Picks the worker's or the poster's share as the judge, with the hash of your reasons; if the final court overturns it, you pay a tenth of what was disputed.",
  operation: { dispute: 'resolve' },
  input: z.strictObject({ taskId, forWorker: z.boolean(), reasonHash: nonZeroHash }),
  contract: 'arbitration',
  functions: ['resolve(uint256 taskId, bool forWorker, bytes32 reasonHash)'],
  deadline: 'appeal',
  proof: ['Ruled'],
})
