import { listOpenTasks } from '../market/listOpenTasks.ts'
import type { Operation } from '../operation.ts'
import { paymentRequiredHeader, paymentResponseHeader } from './paymentHeaders.ts'

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
