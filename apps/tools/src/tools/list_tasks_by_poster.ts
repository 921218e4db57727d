import { z } from 'zod'
import { wallet } from '../fields.ts'
import { listInput, listOutput, readTaskList } from '../taskList.ts'
import { defineTool } from '../tool.ts'

export const listTasksByPoster = defineTool({
  name: 'svc_list_tasks_by_poster',
  title: 'List tasks by poster',
  description: 'Tasks that a wallet posted, newest first.',
  input: z.strictObject({ address: wallet, ...listInput }),
  output: listOutput,
  run: (input, deps) =>
    readTaskList(input, deps, (page) => deps.reader.listByPoster(input.market, input.address, page)),
})
