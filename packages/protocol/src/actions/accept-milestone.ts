import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { milestone } from '../wire.ts'

/** In a dispute this concedes it: the milestone is paid in full. */
export const acceptMilestone = defineAction({
  name: 'accept-milestone',
  summary: 'Accept the milestone in work and pay it.',
  operation: { task: 'release' },
  input: z.strictObject({ taskId, milestone }),
  contract: 'taskRegistry',
  functions: ['release(uint256 taskId, uint256 milestone)'],
  known: ({ task }) => ({ milestone: BigInt(task.current) }),
  clock: 'milestone',
  proof: ['MilestoneReleased'],
})
