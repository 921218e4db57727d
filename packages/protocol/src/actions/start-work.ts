import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const startWork = defineAction({
  name: 'start-work',
  summary: 'Start the work on a funded task; the clock of its first milestone runs.',
  operation: { task: 'activate' },
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['activate(uint256 taskId)'],
  clock: 'milestone',
  proof: ['TaskActivated'],
})
