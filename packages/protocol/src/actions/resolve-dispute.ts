import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { nonZeroHash, shareBps } from '../wire.ts'

export const resolveDispute = defineAction({
  name: 'resolve-dispute',
  verb: 'Submit ruling',
  title: 'Submit your ruling',
  done: 'Submitted the ruling',
  explain: "Votes as a member of the panel on the worker's share, with the hash of your reasons.",
  operation: { dispute: 'resolve' },
  input: z.strictObject({ taskId, workerBps: shareBps, reasonHash: nonZeroHash }),
  contract: 'arbitration',
  functions: ['resolve(uint256 taskId, uint256 workerBps, bytes32 reasonHash)'],
  deadline: 'appeal',
  proof: ['VoteCast'],
})
