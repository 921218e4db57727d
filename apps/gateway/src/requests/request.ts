import { randomBytes } from 'node:crypto'
import type { RawLog } from '@svc/chain'
import { type PreparedJson, type RequestJson, requestStatuses } from '@svc/operations'
import { type Address, type Hex, isAddress } from 'viem'
import { z } from 'zod'

/** How long a request waits for its wallet. */
export const lifetimeMs = 15 * 60_000
/** How long after that the chain may still settle it. */
export const graceMs = 60 * 60_000

const hash = z.string().regex(/^0x[0-9a-f]{64}$/) as z.ZodType<Hex>

/** The outcome of a request and its block. Void if the block is reorganised away. */
const outcome = z.object({
  block: z.number().int(),
  blockHash: hash,
  transaction: hash,
  /** Log index of the event that proves it; null for a failed transaction. */
  logIndex: z.number().int().nullable(),
})

/** A prepared action as the gateway stores it. */
export const storedRequest = z.object({
  id: z.string().regex(/^req_[A-Za-z0-9_-]{22}$/),
  // Written by this gateway, as it was sent to the client.
  prepared: z.custom<PreparedJson>((given) => typeof given === 'object' && given !== null && 'calls' in given),
  status: z.enum(Object.keys(requestStatuses) as [RequestJson['status'], ...RequestJson['status'][]]),
  /** Unix milliseconds. */
  createdAt: z.number(),
  expiresAt: z.number(),
  /** Hashes that the page reported and the chain did not contradict. */
  told: z.array(hash).max(8),
  /** Hashes of its transactions on chain. */
  transactions: z.array(hash),
  outcome: outcome.nullable(),
  /** What the program that asked calls itself. */
  asker: z.string().optional(),
  /** The readiness receipt that it was prepared for: the signed digest and the signer. */
  receipt: z.object({ digest: hash, signer: z.custom<Address>((given) => isAddress(String(given))) }).nullable(),
})

export type StoredRequest = z.infer<typeof storedRequest>

/** Creates a request that waits for its wallet. */
export function createStoredRequest(
  prepared: PreparedJson,
  receipt: StoredRequest['receipt'],
  now: number,
  asker?: string,
): StoredRequest {
  return {
    id: `req_${randomBytes(16).toString('base64url')}`,
    prepared,
    status: 'pending',
    createdAt: now,
    expiresAt: now + lifetimeMs,
    told: [],
    transactions: [],
    outcome: null,
    ...(asker !== undefined && { asker }),
    receipt,
  }
}

/** Whether the chain may still change it. Older requests are not watched. */
export const isWatched = ({ expiresAt }: StoredRequest, now: number): boolean => now < expiresAt + graceMs

/** Finds the request that a log confirmed. A log confirms only one. */
export function findRequestOfLog(
  requests: Iterable<StoredRequest>,
  { transactionHash, logIndex }: RawLog,
): StoredRequest | undefined {
  for (const request of requests) {
    const { outcome } = request
    if (outcome?.transaction === transactionHash && outcome.logIndex === logIndex) return request
  }
  return undefined
}

/** Formats a request for the API. */
export function formatRequest(request: StoredRequest, baseUrl: string): RequestJson {
  const { id, prepared, status, asker, createdAt, expiresAt, transactions } = request
  return {
    requestId: id,
    approvalUrl: `${baseUrl}/approve/${id}`,
    statusUrl: `${baseUrl}/v1/requests/${id}`,
    ...prepared,
    status,
    ...requestStatuses[status],
    ...(asker !== undefined && { asker }),
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    transactionHashes: transactions,
  }
}
