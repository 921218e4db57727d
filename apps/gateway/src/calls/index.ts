import { createViemChain, getMarketDeployment, type MarketAddresses } from '@svc/chain'
import { formatFees, operations, ServiceError } from '@svc/operations'
import { formatReceiptHeader, receiptHeaders } from '@svc/protocol'
import { implementCalls } from '@svc/serve'
import { encodePaymentResponseHeader } from '@x402/core/http'
import { buildPaymentRequiredHeader, formatReceiptUrl } from '../claims/paymentRequired.ts'
import { readPresentedReceipt } from '../claims/presentedReceipt.ts'
import { requireAction } from '../requests/requests.ts'
import type { CallDeps } from './deps.ts'

const implement = implementCalls<CallDeps>()

export const issueReceipt = implement(operations.issueReceipt)(async ({ task, address }, { claims, baseUrl }) => {
  const { receipt, expiresAt, checks } = await claims.issue(task, address)
  if (receipt) {
    return {
      receipt,
      header: { name: receiptHeaders[0], value: formatReceiptHeader(receipt) },
      expiresAt,
      checks,
    }
  }
  const first = checks.find(({ ok }) => !ok)
  throw new ServiceError(
    'NOT_READY',
    `The wallet cannot claim this task now: ${first?.name} is ${first?.have}, and must be ${first?.need}.`,
    { receiptUrl: formatReceiptUrl(baseUrl), checks },
  )
})

export const claimTask = implement(operations.claimTask)(
  async ({ id }, { claims, baseUrl, deployments }, { headers, setHeader }) => {
    const presented = readPresentedReceipt(headers)
    const granted = presented?.receipt
      ? await claims.grant(id, presented.receipt)
      : { problem: describeMissing(presented) }
    if ('problem' in granted) {
      const { problem } = granted
      throw new ServiceError('PAYMENT_REQUIRED', problem, {
        receiptUrl: formatReceiptUrl(baseUrl),
        headers: { 'payment-required': buildPaymentRequiredHeader(problem, id, baseUrl, deployments) },
      })
    }
    if (presented?.by === 'payment') {
      const network = `eip155:${deployments.chainId}` as const
      const settled = { success: true, transaction: '', network, payer: granted.from, amount: '0' }
      setHeader('payment-response', encodePaymentResponseHeader(settled))
    }
    return granted
  },
)

const describeMissing = (presented: object | null) =>
  presented
    ? 'The receipt cannot be read: ask for a new one.'
    : 'A claim needs a readiness receipt in the header PAYMENT-RECEIPT.'

export const createRequest = implement(operations.createRequest)(
  async ({ action, input, from, payFrom, asker }, { requests }) =>
    requests.create(requireAction(action), input, from, { payFrom, asker }),
)

export const getRequest = implement(operations.getRequest)(
  async ({ id, wait }, { requests, stopping }, { signal, setHeader }) => {
    setHeader('retry-after', '2')
    return requests.wait(id, wait, AbortSignal.any([signal, stopping]))
  },
)

export const reportSubmission = implement(operations.reportSubmission)(async ({ id, ...submission }, { requests }) =>
  requests.submitted(id, submission),
)

export const rejectRequest = implement(operations.rejectRequest)(async ({ id }, { requests }) => requests.reject(id))

export const getFees = implement(operations.getFees)(async (_, { key }) => formatFees(key.did))

/** Addresses only: where TOK is traded is not a contract of a market. */
const listAddresses = ({ swap, ...contracts }: MarketAddresses) => contracts

export const getGatewayStatus = implement(operations.getGatewayStatus)(
  async (_, { deployments, head, baseUrl, key, requests, discovery, now }) => {
    await head.now().catch(() => null)
    const { block, stale } = head.last()
    const { markets } = getMarketDeployment(deployments)
    return {
      chainId: deployments.chainId,
      chainName: createViemChain(deployments.chainId).name,
      head: block && { ...block, number: Number(block.number) },
      headAgeSeconds: block && Math.max(0, Math.round(now() / 1000 - block.timestamp)),
      stale,
      baseUrl,
      contracts: { standard: listAddresses(markets.standard), micro: listAddresses(markets.micro) },
      receiptSigner: key.did,
      paidDiscovery: discovery && { url: `${baseUrl}${discovery.path}`, price: discovery.price },
      openRequests: requests.openCount(),
    }
  },
)
