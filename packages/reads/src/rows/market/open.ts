import { defineTaskList } from '../../taskList.ts'

/** GET /api/market/open: what can be claimed. */
export const open = defineTaskList({
  path: '/api/market/open',
  summary: 'List claimable tasks, newest first.',
  tag: 'market',
  query: {},
  partial: true,
  list: () => ({ of: 'open' }),
})
