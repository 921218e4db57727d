import { recordJson } from '@svc/protocol/http'
import { address, givenMarket, taskIdOf, txHash } from '@svc/serve'
import { z } from 'zod'
import { defineCall } from '../../route.ts'

/** POST /api/posting/record: a post that was made, against the quota. */
export const postingRecord = defineCall({
  method: 'post',
  path: '/api/posting/record',
  summary: 'Record a post against the daily quota.',
  description:
    'Only the chain is believed: the transaction must have posted this task, by this wallet, with this amount. The same post counts once, whoever records it and however often; one that nobody records counts too, a little later.',
  tag: 'posting',
  input: {
    address,
    taskId: z.string('a task id is required').max(120).describe('The task, v2:standard:<N> or v2:micro:<N>.'),
    txHash,
    taskAmountTok: z
      .string('taskAmountTok is required: the amount in TOK wei as a decimal string')
      .regex(/^(?:0|[1-9][0-9]{0,77})$/, 'taskAmountTok must be an amount in TOK wei as a decimal string')
      .describe('The total amount of the task, in TOK wei.'),
    market: givenMarket,
  },
  answer: recordJson,
  errors: {
    409: ['TX_NOT_FOUND'],
    422: ['TX_CONTRADICTS'],
    503: ['DATABASE_UNREACHABLE', 'CHAIN_UNREACHABLE'],
  },
  async call({ address, taskId, txHash, taskAmountTok, market }, { posting }) {
    const task = taskIdOf(taskId, market)
    await posting.record({ address, task, amount: BigInt(taskAmountTok), txHash })
    const { quota } = await posting.quota(task.market, address)
    return { recorded: true, quota }
  },
})
