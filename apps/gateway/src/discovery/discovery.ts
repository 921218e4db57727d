import { paidEndpoints, ServiceError, splitEndpoint } from '@svc/operations'
import { limits, markets } from '@svc/protocol'
import { decodePaymentSignatureHeader } from '@x402/core/http'
import { type FacilitatorClient, x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { declareDiscoveryExtension } from '@x402/extensions/bazaar'
import { paymentMiddlewareFromHTTPServer } from '@x402/hono'
import type { MiddlewareHandler } from 'hono'
import type { Address } from 'viem'

/** A read that is paid per request. */
export interface Discovery {
  path: `/${string}`
  price: string
  /** Responds 402 until the price is paid, and settles the payment. */
  charge: MiddlewareHandler
}

export interface DiscoveryOptions {
  baseUrl: string
  chainId: number
  /** In USDC, such as `$0.01`. */
  price: string
  payTo: Address
  facilitator: FacilitatorClient
}

/** Sells the list of claimable tasks with x402's `exact` scheme, and describes it for the Bazaar. */
export function createDiscovery({ baseUrl, chainId, price, payTo, facilitator }: DiscoveryOptions): Discovery {
  const network = `eip155:${chainId}` as const
  const { path } = splitEndpoint(paidEndpoints.listOpenTasks)
  const server = new x402HTTPResourceServer(
    new x402ResourceServer(facilitator).register(network, new ExactEvmScheme()),
    {
      [`GET ${path}`]: {
        accepts: { scheme: 'exact', network, payTo, price },
        // The configured base URL, regardless of the Host header.
        resource: `${baseUrl}${path}`,
        description: 'Claimable tasks of one market, newest first, read from the chain.',
        mimeType: 'application/json',
        extensions: declareDiscoveryExtension({
          input: { market: 'standard', limit: limits.list.default },
          inputSchema: {
            properties: {
              market: { type: 'string', enum: [...markets] },
              limit: { type: 'integer', minimum: limits.list.min, maximum: limits.list.max },
              cursor: { type: 'string' },
            },
          },
          output: { example: { tasks: [], meta: { protocolVersion: 'v2', market: 'standard', nextCursor: null } } },
        }),
      },
    },
  )
  const charge = paymentMiddlewareFromHTTPServer(server)
  return {
    path,
    price,
    async charge(c, next) {
      const { headers } = c.req.raw
      const payment = headers.get('payment-signature')
      if (payment?.includes(',')) throw new ServiceError('INVALID_REQUEST', 'PAYMENT-SIGNATURE is given twice.')
      // For unreadable payments the library would log a stack trace; for browsers it would respond with HTML.
      if (payment !== null && !isReadable(payment)) headers.delete('payment-signature')
      headers.delete('x-payment')
      headers.set('accept', 'application/json')
      const answer = (await charge(c, next)) ?? c.res
      if (answer.status !== 402) return answer
      const body = { error: `This list costs ${price}; /v1/market/open is free.`, code: 'PAYMENT_REQUIRED' }
      return new Response(JSON.stringify(body), { status: 402, headers: answer.headers })
    },
  }
}

function isReadable(payment: string): boolean {
  try {
    return decodePaymentSignatureHeader(payment).x402Version === 2
  } catch {
    return false
  }
}
