import { type Address, getAddress, type Hex, hashTypedData, isAddressEqual, recoverAddress } from 'viem'
import * as z from 'zod/mini'
import { formatTaskId, type TaskId } from './taskId.ts'
import { formatTime } from './units.ts'
import { address } from './wire.ts'

/** The header that carries a readiness receipt, and its other spelling. */
export const receiptHeaders = ['PAYMENT-RECEIPT', 'X-PAYMENT-RECEIPT'] as const
/** How long a receipt is good, in seconds. */
export const receiptLifetime = 600
/** How far the clocks of issuer and reader may differ, in seconds. */
export const receiptSkew = 30

/** A receipt as x402 defines it: its own EIP-712 signed receipt, unchanged. */
export const receipt = z.strictObject({
  format: z.literal('eip712'),
  payload: z.strictObject({
    version: z.literal(1),
    /** The chain, as `eip155:<id>`. */
    network: z.string().check(z.maxLength(40)),
    /** What may be done with it: see `claimResource`. */
    resourceUrl: z.string().check(z.maxLength(2_048)),
    /** The wallet it is for. */
    payer: address,
    /** Unix seconds. */
    issuedAt: z.int().check(z.minimum(0)),
    /** The payment behind it; empty when none was asked for. */
    transaction: z.string().check(z.regex(/^(?:0x[0-9a-f]{64})?$/)),
  }),
  signature: z.string().check(z.regex(/^0x[0-9a-f]{130}$/)),
})

export type Receipt = z.output<typeof receipt>

/** What a receipt must be good for. */
export interface ReceiptUse {
  /** Of the gateway, as its operator set it: never what a request says. */
  baseUrl: string
  taskId: TaskId
  chainId: number
  /** The gateway's receipt key. */
  signer: Address
  /** Unix seconds. */
  now: number
}

/** The address of a task's claim route: what its receipts name. */
export function claimResource(baseUrl: string, taskId: TaskId): string {
  return `${baseUrl.replace(/\/$/, '')}/v1/tasks/${formatTaskId(taskId)}/claim`
}

/** What the issuer of a receipt signs. x402 gives all receipts one domain, so the chain is a field of them. */
export function receiptTypedData({ payload }: Pick<Receipt, 'payload'>) {
  return {
    domain: { name: 'x402 receipt', version: '1', chainId: 1 },
    types: receiptTypes,
    primaryType: 'Receipt',
    message: { ...payload, version: BigInt(payload.version), issuedAt: BigInt(payload.issuedAt) },
  } as const
}

/** Why a receipt is not good for this use, in a sentence; null when it is. */
export async function receiptProblem(given: Receipt, use: ReceiptUse): Promise<string | null> {
  const { network, resourceUrl, issuedAt } = given.payload
  const end = issuedAt + receiptLifetime
  if (network !== `eip155:${use.chainId}`) return `The receipt is for ${network}, not for eip155:${use.chainId}.`
  if (resourceUrl !== claimResource(use.baseUrl, use.taskId)) {
    return `The receipt is not for the claim of ${formatTaskId(use.taskId)} here.`
  }
  if (use.now > end) return `The receipt was good until ${formatTime(end)}: ask for a new one.`
  if (use.now + receiptSkew < issuedAt) return `The receipt is dated ${formatTime(issuedAt)}, which is still to come.`
  return (await isSignedBy(use.signer, given)) ? null : 'The receipt is not signed by this gateway.'
}

/** Writes a receipt as the value of its header. */
export function writeReceiptHeader(given: Receipt): string {
  return btoa(JSON.stringify(given))
}

/** Reads a receipt from a header; null for anything else. */
export function readReceiptHeader(value: string): Receipt | null {
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
    const hash = hashTypedData(receiptTypedData(given))
    return isAddressEqual(await recoverAddress({ hash, signature: given.signature as Hex }), getAddress(signer))
  } catch {
    return false
  }
}
