import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { taskId } from '../taskId.ts'

export const startWork = defineAction({
  name: 'start-work',
  verb: 'Start work',
  title: 'Start the work',
  done: 'Started the work',
  explain: 'Starts work on a funded task; the deadline of its first milestone begins to run.',
  operation: { task: 'activate' },
  input: z.strictObject({ taskId }),
  contract: 'taskRegistry',
  functions: ['activate(uint256 taskId)'],
  deadline: 'milestone',
  proof: ['TaskActivated'],
})
