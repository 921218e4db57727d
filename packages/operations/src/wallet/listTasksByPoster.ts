import * as z from 'zod'
import { taskListJson } from '../json/taskList.ts'
import { defineRead } from '../operation.ts'
import { address, listInput } from '../params.ts'

export const listTasksByPoster = defineRead('listTasksByPoster', {
  summary: 'List the tasks that a wallet posted, newest first.',
  tag: 'wallet',
  input: z.object({ address, ...listInput }),
  output: taskListJson,
})
