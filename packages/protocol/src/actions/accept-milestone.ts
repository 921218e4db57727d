import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { milestone } from '../wire.ts'

/** In a dispute this concedes it: the milestone is paid in full. After a ruling it is too late for that. */
export const acceptMilestone = defineAction({
  name: 'accept-milestone',
  verb: 'Approve and pay',
  title: 'Approve the milestone and pay',
  done: 'Approved and paid the milestone',
  explain: 'Accepts the current milestone and pays the worker for it; in a dispute nobody has ruled on, this concedes.',
  operation: { task: 'release' },
  input: z.strictObject({ taskId, milestone }),
  contract: 'taskRegistry',
  functions: ['release(uint256 taskId, uint256 milestone)'],
  derive: { milestone: ({ task }) => BigInt(task.current) },
  deadline: 'milestone',
  proof: ['MilestoneReleased'],
})
