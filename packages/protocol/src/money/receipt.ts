import { type Address, getAddress, type Hex, hashTypedData, isAddressEqual, recoverAddress } from 'viem'
import * as z from 'zod/mini'
import { address } from '../base/wire.ts'
import { formatTaskId, type TaskId } from '../tasks/taskId.ts'
import { formatTime } from './units.ts'

/** The header that carries a readiness receipt, and its alias. */
export const receiptHeaders = ['PAYMENT-RECEIPT', 'X-PAYMENT-RECEIPT'] as const
/** How long a receipt is valid, in seconds. */
export const receiptLifetime = 600
/** The tolerated clock difference between issuer and reader, in seconds. */
const receiptSkew = 30

/** The EIP-712 signed receipt of x402, unchanged. */
export const receipt = z.strictObject({
  format: z.literal('eip712'),
  payload: z.strictObject({
    version: z.literal(1),
    /** The chain, as `eip155:<id>`. */
    network: z.string().check(z.maxLength(40)),
    /** The resource it gives access to: see `formatClaimResource`. */
    resourceUrl: z.string().check(z.maxLength(2_048)),
    /** The wallet it was issued for. */
    payer: address,
    /** Unix seconds. */
    issuedAt: z.int().check(z.minimum(0)),
    /** The hash of the payment; empty if no payment was required. */
    transaction: z.string().check(z.regex(/^(?:0x[0-9a-f]{64})?$/)),
  }),
  signature: z.string().check(z.regex(/^0x[0-9a-f]{130}$/)),
})

export type Receipt = z.output<typeof receipt>

/** What a receipt must be valid for. */
export interface ReceiptUse {
  /** The base URL of the gateway from its configuration, never from a request. */
  baseUrl: string
  taskId: TaskId
  chainId: number
  /** The gateway's receipt key. */
  signer: Address
  /** Unix seconds. */
  now: number
}

/**
 * Formats the URL of a task's claim route, which is the resource of its receipts.
 *
 * @example
 * ```ts
 * formatClaimResource('http://127.0.0.1:4020', { market: 'micro', number: 33n }) // '…/v1/tasks/v2:micro:33/claim'
 * ```
 */
export function formatClaimResource(baseUrl: string, taskId: TaskId): string {
  return `${baseUrl.replace(/\/$/, '')}/v1/tasks/${formatTaskId(taskId)}/claim`
}

/**
 * Builds the typed data that the issuer of a receipt signs. All x402 receipts share one domain, so the chain is a field.
 *
 * @example
 * ```ts
 * const signature = await account.signTypedData(buildReceiptTypedData({ payload }))
 * ```
 */
export function buildReceiptTypedData({ payload }: Pick<Receipt, 'payload'>) {
  return {
    domain: { name: 'x402 receipt', version: '1', chainId: 1 },
    types: receiptTypes,
    primaryType: 'Receipt',
    message: { ...payload, version: BigInt(payload.version), issuedAt: BigInt(payload.issuedAt) },
  } as const
}

/**
 * Checks whether a receipt is valid for a use. Returns the problem as a sentence, or null if the receipt is valid.
 *
 * @example
 * ```ts
 * const problem = await findReceiptProblem(receipt, { baseUrl, taskId, chainId, signer, now })
 * if (problem) throw new Error(problem)
 * ```
 */
export async function findReceiptProblem(given: Receipt, use: ReceiptUse): Promise<string | null> {
  const { network, resourceUrl, issuedAt } = given.payload
  const end = issuedAt + receiptLifetime
  if (network !== `eip155:${use.chainId}`)
    return `The receipt is for ${network}, but this gateway is on eip155:${use.chainId}.`
  if (resourceUrl !== formatClaimResource(use.baseUrl, use.taskId)) {
    return `The receipt is not for claiming ${formatTaskId(use.taskId)} at this gateway.`
  }
  if (use.now > end) return `The receipt expired at ${formatTime(end)}. Request a new one.`
  if (use.now + receiptSkew < issuedAt) return `The receipt is dated ${formatTime(issuedAt)}, which is in the future.`
  return (await isSignedBy(use.signer, given)) ? null : 'The receipt was not signed by this gateway.'
}

/**
 * Formats a receipt as the value of its header.
 *
 * @example
 * ```ts
 * headers.set('PAYMENT-RECEIPT', formatReceiptHeader(receipt))
 * ```
 */
export function formatReceiptHeader(given: Receipt): string {
  return btoa(JSON.stringify(given))
}

/**
 * Parses a receipt from the value of its header. Returns null if the value is not a receipt.
 *
 * @example
 * ```ts
 * const receipt = parseReceiptHeader(request.headers.get('PAYMENT-RECEIPT') ?? '')
 * ```
 */
export function parseReceiptHeader(value: string): Receipt | null {
  if (value.length > maxHeaderLength) return null
  try {
    return receipt.parse(JSON.parse(atob(value)))
  } catch {
    return null
  }
}

const maxHeaderLength = 4_096

const receiptTypes = {
  Receipt: [
    { name: 'version', type: 'uint256' },
    { name: 'network', type: 'string' },
    { name: 'resourceUrl', type: 'string' },
    { name: 'payer', type: 'string' },
    { name: 'issuedAt', type: 'uint256' },
    { name: 'transaction', type: 'string' },
  ],
} as const

async function isSignedBy(signer: Address, given: Receipt): Promise<boolean> {
  try {
    const hash = hashTypedData(buildReceiptTypedData(given))
    return isAddressEqual(await recoverAddress({ hash, signature: given.signature as Hex }), getAddress(signer))
  } catch {
    return false
  }
}
