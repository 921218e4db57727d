import { receiptHeaders } from '@svc/protocol'
import { listOpenTasks } from '../market/taskLists.ts'
import type { Operation } from '../operation.ts'

const [receiptHeader, receiptAlias] = receiptHeaders

/** The headers of x402 version 2 that a claim reads: base64 of JSON. */
export const claimHeaders = {
  [receiptHeader]: 'The receipt of `POST /v1/payment-receipt`, as its response has it in `header.value`.',
  [receiptAlias]: `Alias of \`${receiptHeader}\`.`,
  'PAYMENT-SIGNATURE': 'An x402 payment with the scheme `svc-readiness`, whose payload has the same receipt.',
}

export const paymentRequiredHeader = {
  'PAYMENT-REQUIRED': 'What x402 clients need to pay, as base64 of JSON: `x402Version` 2, `resource` and `accepts`.',
}

export const paymentResponseHeader = {
  'PAYMENT-RESPONSE': 'The settled payment, as base64 of JSON; absent if the request had no PAYMENT-SIGNATURE.',
}

/** `listOpenTasks` for a price. The gateway charges by x402 before it answers. */
export const buyOpenTasks: Operation = {
  ...listOpenTasks,
  name: 'buyOpenTasks',
  summary: 'List claimable tasks, newest first, for a price in USDC.',
  description:
    'The same list as `GET /v1/market/open`, which is free, for clients that find services through x402. Returns 402 until you send a payment with the `exact` scheme; 404 if the operator has set no price.',
  headers: { 'PAYMENT-SIGNATURE': 'An x402 payment with the scheme `exact`, as base64 of JSON.' },
  responseHeaders: { 200: paymentResponseHeader, 402: paymentRequiredHeader },
  errors: [...(listOpenTasks.errors ?? []), 'PAYMENT_REQUIRED', 'NOT_FOUND'],
}
