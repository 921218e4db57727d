import { canonicalJson, type Receipt, readReceiptHeader, receiptHeaders } from '@svc/protocol'
import { HttpError } from '@svc/serve'
import { decodePaymentSignatureHeader } from '@x402/core/http'

/** The name of our x402 scheme: nothing is paid, a readiness receipt is shown. */
export const scheme = 'svc-readiness'

const maxHeader = 12_000

/** A receipt that came with a request, by which header; `receipt` is null for one that cannot be read. */
export interface Presented {
  by: 'receipt' | 'payment'
  receipt: Receipt | null
}

/**
 * The receipt of a request: in its own header, under either name, or in an x402 payment of our scheme. Null for none. Refuses
 * headers that come twice or that contradict each other: one of them would be ignored.
 */
export function presentedReceipt(headers: Headers): Presented | null {
  const found = [...receiptHeaders, 'PAYMENT-SIGNATURE'].flatMap((name): Presented[] => {
    const value = headers.get(name)
    if (value === null) return []
    // A header that comes twice arrives as one, with a comma that no receipt has.
    if (value.includes(',')) throw new HttpError(400, 'INVALID_REQUEST', `${name} is given twice.`)
    return name === 'PAYMENT-SIGNATURE'
      ? [{ by: 'payment', receipt: readPayment(value) }]
      : [{ by: 'receipt', receipt: readReceiptHeader(value) }]
  })
  const [first, ...others] = found
  if (!first) return null
  if (others.some(({ receipt }) => spell(receipt) !== spell(first.receipt))) {
    throw new HttpError(400, 'INVALID_REQUEST', 'Two headers carry different receipts.')
  }
  return first
}

/** Only the receipt inside counts: what a payment says of its resource is the client's own word. */
function readPayment(value: string): Receipt | null {
  if (value.length > maxHeader) return null
  try {
    const { x402Version, accepted, payload } = decodePaymentSignatureHeader(value)
    if (x402Version !== 2 || accepted?.scheme !== scheme || typeof payload?.receipt !== 'string') return null
    return readReceiptHeader(payload.receipt)
  } catch {
    return null
  }
}

const spell = (receipt: Receipt | null) => canonicalJson(receipt)
