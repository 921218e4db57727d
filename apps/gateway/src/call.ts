import type { Deployments } from '@svc/chain'
import { type Facts, headersOf } from '@svc/serve'
import type { Context } from 'hono'
import type { Claims } from './claims/claims.ts'
import type { ReceiptKey } from './claims/receiptKey.ts'
import type { Discovery } from './discovery/discovery.ts'
import type { Head } from './reads/head.ts'
import type { Requests } from './requests/requests.ts'

/** What calls work with. */
export interface CallDeps {
  places: Deployments
  /** The canonical address: links and receipts carry it, whatever a request says. */
  baseUrl: string
  key: ReceiptKey
  claims: Claims
  requests: Requests
  head: Head
  /** Paid discovery, where the operator set a price. */
  discovery: Discovery | null
  stopping: AbortSignal
  now: () => number
}

export type Ctx = Context<{ Bindings: Facts }>

/** A route that is answered anew every time, and kept by nobody. */
export interface Call {
  method: 'get' | 'post'
  path: `/${string}`
  handle: (c: Ctx, deps: CallDeps) => Promise<Response>
}

/** A call; only helps the types. */
export const defineCall = (method: Call['method'], path: Call['path'], handle: Call['handle']): Call => ({
  method,
  path,
  handle,
})

/** An answer that no cache keeps, and that pages of others do not read. */
export function once(c: Ctx, status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      ...headersOf(c.env),
      ...c.env.limit?.headers(c.env.left),
      'content-type': 'application/json',
      'cache-control': 'no-store',
      vary: 'PAYMENT-RECEIPT, X-PAYMENT-RECEIPT, PAYMENT-SIGNATURE, Origin',
      ...headers,
    },
  })
}
