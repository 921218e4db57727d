import * as z from 'zod'
import { differentialJson } from '../json/comparison.ts'
import { defineCall } from '../operation.ts'

export const getDifferential = defineCall('getDifferential', {
  summary: 'Show the last comparison of the index with contract storage, for each market.',
  description:
    'Whole rows of tasks, disputes, wallets, arbitrators, ledgers and the Union are compared at one block: some at random, and all in turn. A row that differs takes its market out of service: reads come from the chain until the index is rebuilt.',
  tag: 'service',
  input: z.object({}),
  output: differentialJson,
  errors: ['DATABASE_UNREACHABLE'],
})
