import * as z from 'zod'
import { taskListJson } from '../json/taskList.ts'
import { defineRead } from '../operation.ts'
import { address, listInput } from '../params.ts'

export const listOpenTasks = defineRead('listOpenTasks', {
  summary: 'List claimable tasks, newest first.',
  description:
    'These are open tasks without a worker whose claim deadline has not passed. Ask for the next page with `meta.nextCursor`.',
  tag: 'market',
  chainCost: 4,
  input: z.object(listInput),
  output: taskListJson,
})

export const listRecentTasks = defineRead('listRecentTasks', {
  summary: 'List tasks in any state, newest first.',
  description:
    'Private tasks are listed too; their text is not published. Ask for the next page with `meta.nextCursor`.',
  tag: 'market',
  chainCost: 5,
  input: z.object(listInput),
  output: taskListJson,
})

export const listTasksByPoster = defineRead('listTasksByPoster', {
  summary: 'List the tasks that a wallet posted, newest first.',
  description: 'Tasks in every state are listed, private ones too. Ask for the next page with `meta.nextCursor`.',
  tag: 'wallet',
  chainCost: 12,
  input: z.object({ address, ...listInput }),
  output: taskListJson,
})

export const listTasksByWorker = defineRead('listTasksByWorker', {
  summary: 'List the tasks whose worker a wallet is, newest first.',
  description: 'Tasks in every state are listed, private ones too. Ask for the next page with `meta.nextCursor`.',
  tag: 'wallet',
  chainCost: 12,
  input: z.object({ address, ...listInput }),
  output: taskListJson,
})
