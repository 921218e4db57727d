import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const dismissWorker = defineAction({
  name: 'dismiss-worker',
  verb: 'Remove worker',
  title: 'Remove the worker',
  done: 'Removed the worker',
  explain:
    'Removes the worker before the work has started; it costs your exit deposit of 1,000 TOK and, after the vet window, 2.50 USDC and a mark. An open task opens again and locks a new exit deposit.',
  operation: { task: 'dismiss' },
  side: 'poster',
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['dismiss(uint256 taskId)'],
  proof: ['WorkerDismissed'],
})
