import * as z from 'zod'
import { taskListJson } from '../json/taskList.ts'
import { defineRead } from '../operation.ts'
import { listInput } from '../params.ts'

export const listRecentTasks = defineRead('listRecentTasks', {
  summary: 'List tasks in any state, newest first.',
  description:
    'Private tasks are listed too; their text is not published. Ask for the next page with `meta.nextCursor`.',
  tag: 'market',
  chainCost: 5,
  input: z.object(listInput),
  output: taskListJson,
})
