import * as z from 'zod'
import { recordJson, walletQuotaJson } from '../json/posting.ts'
import { defineCall } from '../operation.ts'
import { address, market, matchingMarket, readTaskId, taskIdInput, txHash } from '../params.ts'

export const checkQuota = defineCall('checkQuota', {
  summary: 'Check whether a wallet may post: returns its quota, or 429 if the daily limit is reached.',
  description: 'It reserves nothing: otherwise a stranger could use up the quota of a wallet.',
  tag: 'posting',
  input: z.object({ address, market }),
  output: walletQuotaJson,
  errors: ['QUOTA_REACHED', 'DATABASE_UNREACHABLE', 'CHAIN_UNREACHABLE'],
})

export const getQuota = defineCall('getQuota', {
  summary: "Show a wallet's plan, and how many of today's posts it has used in one market.",
  description:
    'Days are UTC days. Posts are counted from the chain, recorded or not, and a plan applies as soon as its payment is on the chain.',
  tag: 'posting',
  input: z.object({ address, market }),
  output: walletQuotaJson,
  errors: ['DATABASE_UNREACHABLE', 'CHAIN_UNREACHABLE'],
})

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
