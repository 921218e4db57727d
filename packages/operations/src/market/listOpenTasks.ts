import * as z from 'zod'
import { taskListJson } from '../json/taskList.ts'
import { defineRead } from '../operation.ts'
import { listInput } from '../params.ts'

export const listOpenTasks = defineRead('listOpenTasks', {
  summary: 'List claimable tasks, newest first.',
  tag: 'market',
  input: z.object(listInput),
  output: taskListJson,
})
