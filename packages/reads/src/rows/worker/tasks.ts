import { address } from '@svc/serve'
import { defineTaskList } from '../../taskList.ts'

/** GET /api/worker/tasks: what a wallet works on, or did. */
export const workerTasks = defineTaskList({
  path: '/api/worker/tasks',
  summary: 'List the tasks whose worker a wallet is, newest first.',
  tag: 'wallet',
  query: { address },
  list: ({ address }) => ({ of: 'worker', wallet: address }),
})
