import * as z from 'zod'
import { taskListJson } from '../json/taskList.ts'
import { defineRead } from '../operation.ts'
import { listInput } from '../params.ts'

export const listOpenTasks = defineRead('listOpenTasks', {
  summary: 'List claimable tasks, newest first.',
  description:
    'These are open tasks without a worker whose claim deadline has not passed. Ask for the next page with `meta.nextCursor`.',
  tag: 'market',
  chainCost: 4,
  input: z.object(listInput),
  output: taskListJson,
})
