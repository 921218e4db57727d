import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { givenHash, shareBps } from '../wire.ts'

export const resolveDispute = defineAction({
  name: 'resolve-dispute',
  summary: "Rule as a member of the panel: the worker's share, and the hash of your reasons.",
  operation: { dispute: 'resolve' },
  input: z.strictObject({ taskId, workerBps: shareBps, reasonHash: givenHash }),
  contract: 'arbitration',
  functions: ['resolve(uint256 taskId, uint256 workerBps, bytes32 reasonHash)'],
  clock: 'appeal',
  proof: ['VoteCast'],
})
