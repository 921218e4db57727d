import { z } from 'zod'
import { address } from '../fields.ts'
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

export const listRecentTasks = defineTool({
  name: 'svc_list_recent_tasks',
  title: 'List recent tasks',
  description: 'Tasks of a market in any state, newest first.',
  input: z.strictObject(listInput),
  output: listOutput,
  run: (input, deps) => readTaskList(input, deps, (page) => deps.reader.listRecent(input.market, page)),
})

export const listTasksByPoster = defineTool({
  name: 'svc_list_tasks_by_poster',
  title: 'List tasks by poster',
  description: 'Tasks that a wallet posted, newest first.',
  input: z.strictObject({ address, ...listInput }),
  output: listOutput,
  run: (input, deps) =>
    readTaskList(input, deps, (page) => deps.reader.listByPoster(input.market, input.address, page)),
})

export const listTasksByWorker = defineTool({
  name: 'svc_list_tasks_by_worker',
  title: 'List tasks by worker',
  description: 'Tasks that a wallet took on, newest first.',
  input: z.strictObject({ address, ...listInput }),
  output: listOutput,
  run: (input, deps) =>
    readTaskList(input, deps, (page) => deps.reader.listByWorker(input.market, input.address, page)),
})
