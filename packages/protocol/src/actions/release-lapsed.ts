import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'
import { milestone } from '../wire.ts'

export const releaseLapsed = defineAction({
  name: 'release-lapsed',
  verb: 'Release payment',
  title: 'Release an overdue payment',
  done: 'Released the overdue payment',
  explain:
    'Pays the worker for a delivery that the poster did not answer in time, if the terms name no store or it signed a receipt; anyone can do this.',
  operation: { task: 'releaseLapsed' },
  input: z.strictObject({ taskId, milestone }),
  contract: 'taskRegistry',
  functions: ['releaseLapsed(uint256 taskId, uint256 milestone)'],
  derive: { milestone: ({ task }) => BigInt(task.current) },
  deadline: 'milestone',
  proof: ['MilestoneReleased'],
})
