import { differentialJson } from '../../differential.ts'
import { defineCall } from '../../route.ts'

/** GET /api/health/differential: how the index last compared with the chain. */
export const healthDifferential = defineCall({
  method: 'get',
  path: '/api/health/differential',
  summary: 'Show the last comparison of the index with contract storage, of each market.',
  description:
    'Rows of tasks, disputes, wallets, arbitrators, ledgers and the Union are compared whole, at one block, some at random and all in turn. One that differs takes its market out of service: it is read from the chain until the index is rebuilt.',
  tag: 'service',
  input: {},
  answer: differentialJson,
  errors: { 503: ['DATABASE_UNREACHABLE'] },
  call: (_, { differential }) => differential(),
})
