import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const dismissWorker = defineAction({
  name: 'dismiss-worker',
  summary: 'Send the worker away before the work has started.',
  operation: { task: 'dismiss' },
  as: 'poster',
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['dismiss(uint256 taskId)'],
  proof: ['WorkerDismissed'],
})
