import * as z from 'zod'
import { recordJson } from '../json/posting.ts'
import { defineCall } from '../operation.ts'
import { address, matchingMarket, readTaskId, taskIdInput, txHash } from '../params.ts'

export const recordPost = defineCall('recordPost', {
  summary: 'Record a post against the daily quota.',
  description:
    'The chain decides: the transaction must have posted this task, from this wallet, with this amount. A post counts once, no matter who records it and how often; a post that nobody records counts too, a little later.',
  tag: 'posting',
  input: z
    .object({
      address,
      taskId: taskIdInput,
      txHash,
      taskAmountTok: z
        .string('taskAmountTok is required: the amount in TOK wei as a decimal string')
        .regex(/^(?:0|[1-9][0-9]{0,77})$/, 'taskAmountTok must be an amount in TOK wei as a decimal string')
        .describe('Total amount of the task, in TOK wei.'),
      market: matchingMarket,
    })
    .transform(({ taskId, taskAmountTok, market, ...rest }, context) => {
      const task = readTaskId(taskId, context, ['taskId'], market)
      return task ? { ...rest, task, amount: BigInt(taskAmountTok) } : z.NEVER
    }),
  output: recordJson,
  errors: ['TX_NOT_FOUND', 'TX_CONTRADICTS', 'DATABASE_UNREACHABLE', 'CHAIN_UNREACHABLE'],
})
