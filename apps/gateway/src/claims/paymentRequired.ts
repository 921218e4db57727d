import type { Deployments } from '@svc/chain'
import { formatPrice } from '@svc/operations'
import { formatTaskId, receiptHeaders, type TaskId } from '@svc/protocol'
import { getPrice } from '@svc/protocol/internal/actions'
import { formatClaimResource, receiptLifetime } from '@svc/protocol/internal/money'
import { encodePaymentRequiredHeader } from '@x402/core/http'
import { scheme } from './presentedReceipt.ts'

/**
 * Builds the `PAYMENT-REQUIRED` header of a claim. It offers only our own scheme, at no cost: a stock client that does not
 * know the scheme signs nothing, and nobody pays twice for the fee that the contract charges.
 */
export function buildPaymentRequiredHeader(
  error: string,
  taskId: TaskId,
  baseUrl: string,
  { chainId, shared, markets }: Deployments,
): string {
  const resourceUrl = formatClaimResource(baseUrl, taskId)
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
          receiptUrl: formatReceiptUrl(baseUrl),
          header: receiptHeaders[0],
          accessFeeTokWei: claimPrice.feeTokWei,
          // What the contract takes and locks when the claim is sent.
          price: claimPrice,
        },
      },
    ],
  })
}

const claimPrice = formatPrice(getPrice('claim-task', 'worker'))

/** URL of the receipt endpoint. */
export const formatReceiptUrl = (baseUrl: string): string => `${baseUrl}/v1/payment-receipt`
