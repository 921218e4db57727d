import { z } from 'zod'
import { listInput, listOutput, readTaskList } from '../taskList.ts'
import { defineTool } from '../tool.ts'

export const listRecentTasks = defineTool({
  name: 'svc_list_recent_tasks',
  title: 'List recent tasks',
  description: 'Tasks of a market in any state, newest first.',
  input: z.strictObject(listInput),
  output: listOutput,
  run: (input, deps) => readTaskList(input, deps, (page) => deps.reader.listRecent(input.market, page)),
})
