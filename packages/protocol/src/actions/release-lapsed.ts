import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { milestone } from '../wire.ts'

export const releaseLapsed = defineAction({
  name: 'release-lapsed',
  summary: 'Pay a delivery that was not answered in time; anyone may.',
  operation: { task: 'releaseLapsed' },
  input: z.strictObject({ taskId, milestone }),
  contract: 'taskRegistry',
  functions: ['releaseLapsed(uint256 taskId, uint256 milestone)'],
  known: ({ task }) => ({ milestone: BigInt(task.current) }),
  clock: 'milestone',
  proof: ['MilestoneReleased'],
})
