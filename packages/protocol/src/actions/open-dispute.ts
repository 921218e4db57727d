import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { givenHash, milestone } from '../wire.ts'

export const openDispute = defineAction({
  name: 'open-dispute',
  summary: 'Take a delivery to arbitration, by the hash of your evidence.',
  operation: { task: 'openDispute' },
  input: z.strictObject({ taskId, milestone, evidenceHash: givenHash }),
  contract: 'taskRegistry',
  functions: ['openDispute(uint256 taskId, uint256 milestone, bytes32 evidenceHash)'],
  known: ({ task }) => ({ milestone: BigInt(task.current) }),
  clock: 'consent',
  proof: ['DisputeOpened'],
})
