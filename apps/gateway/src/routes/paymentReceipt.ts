import { receiptHeaders, writeReceiptHeader } from '@svc/protocol'
import { address, bodyOf, givenMarket, parse, taskIdOf } from '@svc/serve'
import { z } from 'zod'
import { type Call, defineCall, once } from '../call.ts'
import { receiptUrlOf } from '../claims/paymentRequired.ts'

const input = { taskId: z.string().max(120), address, market: givenMarket }

/** POST /v1/payment-receipt: a receipt for a wallet that is ready to claim a task, or what it lacks. */
export const paymentReceipt: Call = defineCall('post', '/v1/payment-receipt', async (c, { claims, baseUrl }) => {
  const given = parse(input, await bodyOf(c.req.raw, 4_096))
  const taskId = taskIdOf(given.taskId, given.market)
  const { receipt, expiresAt, checks } = await claims.issue(taskId, given.address)
  if (receipt) {
    return once(c, 200, {
      receipt,
      header: { name: receiptHeaders[0], value: writeReceiptHeader(receipt) },
      expiresAt,
      checks,
    })
  }
  const first = checks.find(({ ok }) => !ok)
  const error = `The wallet cannot claim this task now: ${first?.name} is ${first?.have}, and must be ${first?.need}.`
  return once(c, 402, { error, code: 'NOT_READY', receiptUrl: receiptUrlOf(baseUrl), checks })
})
