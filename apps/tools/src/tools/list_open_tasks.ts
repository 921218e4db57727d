import { z } from 'zod'
import { listInput, listOutput, readTaskList } from '../taskList.ts'
import { defineTool } from '../tool.ts'

export const listOpenTasks = defineTool({
  name: 'svc_list_open_tasks',
  title: 'List open tasks',
  description: 'Posted tasks, newest first. In phase OPEN_FOR_CLAIM they can be claimed now.',
  input: z.strictObject(listInput),
  output: listOutput,
  run: (input, deps) => readTaskList(input, deps, (page) => deps.reader.listOpen(input.market, page)),
})
