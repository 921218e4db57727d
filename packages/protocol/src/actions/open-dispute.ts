import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { milestone, nonZeroHash } from '../wire.ts'

export const openDispute = defineAction({
  name: 'open-dispute',
  verb: 'Open a dispute',
  title: 'Open a dispute',
  done: 'Opened a dispute',
  explain: 'Takes the delivery to arbitration with the hash of your evidence.',
  operation: { task: 'openDispute' },
  input: z.strictObject({ taskId, milestone, evidenceHash: nonZeroHash }),
  contract: 'taskRegistry',
  functions: ['openDispute(uint256 taskId, uint256 milestone, bytes32 evidenceHash)'],
  derive: { milestone: ({ task }) => BigInt(task.current) },
  deadline: 'consent',
  proof: ['DisputeOpened'],
})
