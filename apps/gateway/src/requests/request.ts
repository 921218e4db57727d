import { randomBytes } from 'node:crypto'
import { type PreparedJson, type RequestJson, requestStatuses } from '@svc/protocol/http'
import { type Address, type Hex, isAddress } from 'viem'
import { z } from 'zod'

/** So long a request waits for its wallet. */
export const lifetimeMs = 15 * 60_000
/** So long after that the chain may still settle it. */
export const graceMs = 60 * 60_000

const hash = z.string().regex(/^0x[0-9a-f]{64}$/) as z.ZodType<Hex>

/** What the chain said of a request, and where: while that block stays. */
const outcome = z.object({
  block: z.number().int(),
  blockHash: hash,
  transaction: hash,
  /** Of the event that proves it; null for a transaction that failed. */
  logIndex: z.number().int().nullable(),
})

/** A prepared action as the gateway keeps it. */
export const storedRequest = z.object({
  id: z.string().regex(/^req_[A-Za-z0-9_-]{22}$/),
  // Written by us, as it was answered.
  prepared: z.custom<PreparedJson>((given) => typeof given === 'object' && given !== null && 'calls' in given),
  status: z.enum(Object.keys(requestStatuses) as [RequestJson['status'], ...RequestJson['status'][]]),
  /** Unix milliseconds. */
  createdAt: z.number(),
  expiresAt: z.number(),
  /** Hashes that the page told, and that the chain did not contradict. */
  told: z.array(hash).max(8),
  /** Of the transactions that the chain has for it. */
  transactions: z.array(hash),
  outcome: outcome.nullable(),
  /** The readiness receipt that it was prepared for: what was signed, and by whom. */
  receipt: z.object({ digest: hash, signer: z.custom<Address>((given) => isAddress(String(given))) }).nullable(),
})

export type StoredRequest = z.infer<typeof storedRequest>
export type Outcome = z.infer<typeof outcome>

/** A new request that waits for its wallet. */
export function newRequest(prepared: PreparedJson, receipt: StoredRequest['receipt'], now: number): StoredRequest {
  return {
    id: `req_${randomBytes(16).toString('base64url')}`,
    prepared,
    status: 'pending',
    createdAt: now,
    expiresAt: now + lifetimeMs,
    told: [],
    transactions: [],
    outcome: null,
    receipt,
  }
}

/** Whether the chain may still change it: nothing older is looked for. */
export const isWatched = ({ expiresAt }: StoredRequest, now: number): boolean => now < expiresAt + graceMs

/** A request on the wire. */
export function requestJsonOf(request: StoredRequest, baseUrl: string): RequestJson {
  const { id, prepared, status, createdAt, expiresAt, transactions } = request
  return {
    requestId: id,
    approvalUrl: `${baseUrl}/approve/${id}`,
    statusUrl: `${baseUrl}/v1/requests/${id}`,
    ...prepared,
    status,
    ...requestStatuses[status],
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    transactionHashes: transactions,
  }
}
