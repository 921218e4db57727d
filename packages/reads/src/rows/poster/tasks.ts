import { address } from '@svc/serve'
import { defineTaskList } from '../../taskList.ts'

/** GET /api/poster/tasks: what a wallet posted. */
export const posterTasks = defineTaskList({
  path: '/api/poster/tasks',
  summary: 'List the tasks that a wallet posted, newest first.',
  tag: 'wallet',
  query: { address },
  list: ({ address }) => ({ of: 'poster', wallet: address }),
})
