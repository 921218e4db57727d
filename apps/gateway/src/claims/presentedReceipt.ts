import { ServiceError } from '@svc/operations'
import { canonicalizeJson, parseReceiptHeader, type Receipt, receiptHeaders } from '@svc/protocol'
import { decodePaymentSignatureHeader } from '@x402/core/http'

/** The name of our x402 scheme: the client presents a readiness receipt instead of a payment. */
export const scheme = 'svc-readiness'

const maxHeader = 12_000

/** A receipt that came with a request, and its header; `receipt` is null if it cannot be parsed. */
export interface Presented {
  by: 'receipt' | 'payment'
  receipt: Receipt | null
}

/**
 * Reads the receipt of a request from its own header, under either name, or from an x402 payment of our scheme. Returns
 * null if there is none. Rejects duplicate or conflicting headers, because one of them would be ignored.
 */
export function readPresentedReceipt(headers: Headers): Presented | null {
  const found = [...receiptHeaders, 'PAYMENT-SIGNATURE'].flatMap((name): Presented[] => {
    const value = headers.get(name)
    if (value === null) return []
    // Duplicate headers arrive joined by a comma, which no receipt contains.
    if (value.includes(',')) throw new ServiceError('INVALID_REQUEST', `${name} is given twice.`)
    return name === 'PAYMENT-SIGNATURE'
      ? [{ by: 'payment', receipt: readPayment(value) }]
      : [{ by: 'receipt', receipt: parseReceiptHeader(value) }]
  })
  const [first, ...others] = found
  if (!first) return null
  if (others.some(({ receipt }) => spell(receipt) !== spell(first.receipt))) {
    throw new ServiceError('INVALID_REQUEST', 'Two headers carry different receipts. Send one receipt.')
  }
  return first
}

/** Uses only the receipt inside: the resource that a payment names is the client's unverified claim. */
function readPayment(value: string): Receipt | null {
  if (value.length > maxHeader) return null
  try {
    const { x402Version, accepted, payload } = decodePaymentSignatureHeader(value)
    if (x402Version !== 2 || accepted?.scheme !== scheme || typeof payload?.receipt !== 'string') return null
    return parseReceiptHeader(payload.receipt)
  } catch {
    return null
  }
}

const spell = (receipt: Receipt | null) => canonicalizeJson(receipt)
