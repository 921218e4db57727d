import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { milestone, nonZeroHash } from '../wire.ts'

export const requestRevision = defineAction({
  name: 'request-revision',
  verb: 'Request changes',
  title: 'Request changes',
  done: 'Requested changes',
  explain:
    'Sends the delivery back to the worker with the hash of your reasons; the worker gets at least another review window.',
  operation: { task: 'requestRevision' },
  input: z.strictObject({ taskId, milestone, reasonHash: nonZeroHash }),
  contract: 'taskRegistry',
  functions: ['requestRevision(uint256 taskId, uint256 milestone, bytes32 reasonHash)'],
  derive: { milestone: ({ task }) => BigInt(task.current) },
  deadline: 'milestone',
  proof: ['RevisionRequested'],
})
