import * as z from 'zod'
import { taskListJson } from '../json/taskList.ts'
import { defineRead } from '../operation.ts'
import { address, listInput } from '../params.ts'

export const listTasksByPoster = defineRead('listTasksByPoster', {
  summary: 'List the tasks that a wallet posted, newest first.',
  description: 'Tasks in every state are listed, private ones too. Ask for the next page with `meta.nextCursor`.',
  tag: 'wallet',
  chainCost: 12,
  input: z.object({ address, ...listInput }),
  output: taskListJson,
})
