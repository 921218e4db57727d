import { receiptHeaders } from '@svc/protocol'

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
