import { z } from 'zod'
import { wallet } from '../fields.ts'
import { listInput, listOutput, readTaskList } from '../taskList.ts'
import { defineTool } from '../tool.ts'

export const listTasksByWorker = defineTool({
  name: 'svc_list_tasks_by_worker',
  title: 'List tasks by worker',
  description: 'Tasks that a wallet works on or worked on, newest first.',
  input: z.strictObject({ address: wallet, ...listInput }),
  output: listOutput,
  run: (input, deps) =>
    readTaskList(input, deps, (page) => deps.reader.listByWorker(input.market, input.address, page)),
})
