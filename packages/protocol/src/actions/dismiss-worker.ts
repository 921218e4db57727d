import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const dismissWorker = defineAction({
  name: 'dismiss-worker',
  verb: 'Remove worker',
  title: 'Remove the worker',
  done: 'Removed the worker',
  explain: 'Removes the worker before the work has started.',
  operation: { task: 'dismiss' },
  side: 'poster',
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['dismiss(uint256 taskId)'],
  proof: ['WorkerDismissed'],
})
