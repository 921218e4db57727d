import type { Deployments } from '@svc/chain'
import type { Claims } from '../claims/claims.ts'
import type { ReceiptKey } from '../claims/receiptKey.ts'
import type { Discovery } from '../discovery/discovery.ts'
import type { Head } from '../reads/head.ts'
import type { Requests } from '../requests/requests.ts'

/** Dependencies of the calls. */
export interface CallDeps {
  deployments: Deployments
  /** The canonical base URL, used in links and receipts regardless of the Host header. */
  baseUrl: string
  key: ReceiptKey
  claims: Claims
  requests: Requests
  head: Head
  /** Paid discovery, if the operator set a price. */
  discovery: Discovery | null
  stopping: AbortSignal
  now: () => number
}
