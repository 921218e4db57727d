import { taskIdOf } from '@svc/serve'
import { encodePaymentResponseHeader } from '@x402/core/http'
import { type Call, defineCall, once } from '../call.ts'
import { paymentRequiredHeader, receiptUrlOf } from '../claims/paymentRequired.ts'
import { presentedReceipt } from '../claims/presented.ts'

/** POST /v1/tasks/:id/claim: 402 until a receipt for this very claim is shown, then the prepared claim. */
export const claim: Call = defineCall('post', '/v1/tasks/:id/claim', async (c, { claims, baseUrl, places }) => {
  const taskId = taskIdOf(c.req.param('id'), undefined)
  const presented = presentedReceipt(c.req.raw.headers)
  const granted = presented?.receipt ? await claims.grant(taskId, presented.receipt) : { problem: problemOf(presented) }
  if ('problem' in granted) {
    const { problem } = granted
    const body = { error: problem, code: 'PAYMENT_REQUIRED', receiptUrl: receiptUrlOf(baseUrl) } as const
    return once(c, 402, body, { 'payment-required': paymentRequiredHeader(problem, taskId, baseUrl, places) })
  }
  if (presented?.by !== 'payment') return once(c, 200, granted)
  const network = `eip155:${places.chainId}` as const
  const settled = { success: true, transaction: '', network, payer: granted.from, amount: '0' }
  return once(c, 200, granted, { 'payment-response': encodePaymentResponseHeader(settled) })
})

const problemOf = (presented: object | null) =>
  presented
    ? 'The receipt cannot be read: ask for a new one.'
    : 'A claim needs a readiness receipt in the header PAYMENT-RECEIPT.'
