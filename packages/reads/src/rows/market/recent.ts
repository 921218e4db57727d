import { defineTaskList } from '../../taskList.ts'

/** GET /api/market/recent: tasks in every state. */
export const recent = defineTaskList({
  path: '/api/market/recent',
  summary: 'List tasks in any state, newest first.',
  tag: 'market',
  query: {},
  list: () => ({ of: 'recent' }),
})
