import type { Deployments } from '@svc/chain'
import { accessFee, claimResource, formatTaskId, receiptHeaders, receiptLifetime, type TaskId } from '@svc/protocol'
import { encodePaymentRequiredHeader } from '@x402/core/http'
import { scheme } from './presented.ts'

/**
 * The `PAYMENT-REQUIRED` header of a claim. Its only offer is of our own scheme and costs nothing: a stock client that does
 * not know it signs nothing, and nobody is charged twice for the fee that the chain takes itself.
 */
export function paymentRequiredHeader(
  error: string,
  taskId: TaskId,
  baseUrl: string,
  { chainId, shared, markets }: Deployments,
): string {
  const resourceUrl = claimResource(baseUrl, taskId)
  return encodePaymentRequiredHeader({
    x402Version: 2,
    error,
    resource: {
      url: resourceUrl,
      description: `Claim task ${formatTaskId(taskId)}. Nothing is paid here: show a readiness receipt.`,
      mimeType: 'application/json',
    },
    accepts: [
      {
        scheme,
        network: `eip155:${chainId}`,
        asset: shared.tokToken,
        amount: '0',
        payTo: markets[taskId.market].paymentGateway,
        maxTimeoutSeconds: receiptLifetime,
        extra: {
          taskId: formatTaskId(taskId),
          resourceUrl,
          receiptUrl: receiptUrlOf(baseUrl),
          header: receiptHeaders[0],
          accessFeeTokWei: String(accessFee),
        },
      },
    ],
  })
}

/** Where receipts are asked for. */
export const receiptUrlOf = (baseUrl: string): string => `${baseUrl}/v1/payment-receipt`
