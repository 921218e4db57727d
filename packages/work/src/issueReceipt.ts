import { buildStorageReceiptTypedData, type SigningContext, SvcError } from '@svc/protocol'
import { storageReceipt } from '@svc/protocol/internal/base'
import { computeBundleSize } from '@svc/protocol/internal/work'
import type { VerifySignature } from '@svc/protocol/negotiation'
import type { SealedBundle } from '@svc/protocol/work'
import { hashTypedData } from 'viem'
import * as z from 'zod/mini'
import type { StoreConnection } from './storeConnection.ts'

/** A receipt in the form that `submit-proof` takes. */
export type StorageReceipt = z.output<typeof storageReceipt>

/**
 * Asks the store for a receipt of a delivery, and checks it: the signature is over this delivery and of the store that the
 * terms name. Throws WRONG_RECEIPT otherwise, so that a worker does not submit a receipt that the registry rejects.
 *
 * @example
 * ```ts
 * const receipt = await issueReceipt(store, sealed, { context, verifySignature, now })
 * ```
 */
export async function issueReceipt(
  store: StoreConnection,
  { hash, descriptor }: Pick<SealedBundle, 'hash' | 'descriptor'>,
  { context, verifySignature, now }: { context: SigningContext; verifySignature: VerifySignature; now: number },
): Promise<StorageReceipt> {
  const { body } = await store.calls.issueStorageReceipt({ hash })
  const { size, until, signature } = body.receipt
  const wrong = (why: string) => new SvcError('WRONG_RECEIPT', `The store's receipt is not valid: ${why}.`)
  const parsed = z.safeParse(storageReceipt, { size: Number(size), until: Number(until), signature })
  if (!parsed.success) throw wrong('it does not have the form of a receipt')
  const receipt = parsed.data
  if (receipt.size !== BigInt(computeBundleSize(descriptor))) throw wrong(`it is for ${size} bytes`)
  if (receipt.until <= BigInt(now)) throw wrong('it has ended already')
  const typedData = buildStorageReceiptTypedData(context, {
    taskId: descriptor.taskId.number,
    milestone: BigInt(descriptor.milestone),
    revision: BigInt(descriptor.revision),
    worker: descriptor.author,
    proofHash: hash,
    size: receipt.size,
    until: receipt.until,
  })
  const check = { address: store.address, hash: hashTypedData(typedData), signature: receipt.signature }
  if (!(await verifySignature(check))) throw wrong(`it was not signed by ${store.address}`)
  return receipt
}
