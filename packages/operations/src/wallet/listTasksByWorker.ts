import * as z from 'zod'
import { taskListJson } from '../json/taskList.ts'
import { defineRead } from '../operation.ts'
import { address, listInput } from '../params.ts'

export const listTasksByWorker = defineRead('listTasksByWorker', {
  summary: 'List the tasks whose worker a wallet is, newest first.',
  description: 'Tasks in every state are listed, private ones too. Ask for the next page with `meta.nextCursor`.',
  tag: 'wallet',
  chainCost: 12,
  input: z.object({ address, ...listInput }),
  output: taskListJson,
})
