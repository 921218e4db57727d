import * as z from 'zod'
import { taskListJson } from '../json/taskList.ts'
import { defineRead } from '../operation.ts'
import { address, listInput } from '../params.ts'

export const listTasksByWorker = defineRead('listTasksByWorker', {
  summary: 'List the tasks whose worker a wallet is, newest first.',
  tag: 'wallet',
  input: z.object({ address, ...listInput }),
  output: taskListJson,
})
