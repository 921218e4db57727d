import * as z from 'zod'
import { metaJson } from '../json/meta.ts'
import { blockedJson, stepJson } from '../json/steps.ts'
import { defineCall } from '../operation.ts'
import { address, taskId } from '../params.ts'

export const listSteps = defineCall('listSteps', {
  summary: 'List what a wallet may do with a task now, what you must supply, and what it costs.',
  description: 'Exact at the block of the response: the contracts reject every action that is not listed.',
  tag: 'actions',
  chainCost: 12,
  input: z.object({ id: taskId, address }),
  output: z.object({
    steps: z.array(stepJson).describe('Actions that the contracts would accept now.'),
    blocked: z
      .array(blockedJson)
      .describe('Rules that keep the wallet from acting, with what would change that; never empty if `steps` is.'),
    meta: metaJson,
  }),
  errors: ['INVALID_TASK_ID', 'TASK_NOT_FOUND', 'CHAIN_UNREACHABLE'],
})
