import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { givenHash, milestone } from '../wire.ts'

export const requestRevision = defineAction({
  name: 'request-revision',
  summary: 'Send a delivery back, by the hash of your reason.',
  operation: { task: 'requestRevision' },
  input: z.strictObject({ taskId, milestone, reasonHash: givenHash }),
  contract: 'taskRegistry',
  functions: ['requestRevision(uint256 taskId, uint256 milestone, bytes32 reasonHash)'],
  known: ({ task }) => ({ milestone: BigInt(task.current) }),
  clock: 'milestone',
  proof: ['RevisionRequested'],
})
