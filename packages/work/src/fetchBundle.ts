import { type LaterGrant, laterGrant, type OpenOptions } from '@svc/protocol/internal/work'
import { checkDescriptor, type ExpectedBundle, type OpenedBundle, openBundle } from '@svc/protocol/work'
import { isAddressEqual } from 'viem'
import * as z from 'zod/mini'
import { listIdentities } from './deviceKeys.ts'
import type { StoreConnection } from './storeConnection.ts'

/** A bundle that was fetched and opened, with the bytes of its descriptor. */
export interface FetchedBundle extends OpenedBundle {
  bytes: Uint8Array
}

/**
 * Fetches a bundle, checks it against what the chain says, and opens it. Throws `WorkError` for anything that does not match,
 * and NO_GRANT if nobody shared it with the keys of this device.
 *
 * @example
 * ```ts
 * const { manifest, readFile } = await fetchBundle(store, { hash: proofHash, ...subject })
 * ```
 */
export async function fetchBundle(store: StoreConnection, expected: ExpectedBundle): Promise<FetchedBundle> {
  const options = await fetchDescriptor(store, expected)
  return { ...(await openBundle(options)), bytes: options.bytes }
}

/** Fetches what opening a bundle begins with: its descriptor, and the grants that were made for the own wallet later. */
export async function fetchDescriptor(store: StoreConnection, expected: ExpectedBundle): Promise<OpenOptions> {
  const { keys } = store
  const bytes = await store.getBundle(expected.hash)
  // A public bundle needs no grant, and a store lists grants only to those who take part in the task.
  const isSealed = checkDescriptor(bytes, expected).recipient !== null
  return {
    bytes,
    expected,
    keys: keys ? listIdentities(keys) : [],
    laterGrants: keys && isSealed ? await listLaterGrants(store, expected) : [],
    fetchPart: (part) => store.getPart(expected.taskId, part),
  }
}

/** Lists the grants that were made for the own wallet later. Malformed ones are skipped. */
async function listLaterGrants(store: StoreConnection, { hash }: ExpectedBundle): Promise<LaterGrant[]> {
  const reader = store.keys?.wallet
  if (!reader) return []
  const { body } = await store.calls.listGrants({ bundle: hash, reader })
  return body.grants.flatMap((json) => {
    const { success, data } = z.safeParse(laterGrant, json)
    return success && isAddressEqual(data.reader, reader) ? [data] : []
  })
}
