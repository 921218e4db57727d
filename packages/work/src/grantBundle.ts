import { createLaterGrant, laterGrant, type OpenedBundle, type Reader } from '@svc/protocol/work'
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import type { StoreConnection } from './storeConnection.ts'

/**
 * Lets further readers open a bundle: a judge, the clerk, or a new key of a party. Does nothing for a public bundle.
 *
 * @example
 * ```ts
 * const bundle = await fetchBundle(store, expected)
 * await grantBundle(store, expected.hash, bundle, await findReaders(store, [judge], options))
 * ```
 */
export async function grantBundle(
  store: StoreConnection,
  hash: Hex,
  { identity, descriptor }: Pick<OpenedBundle, 'identity' | 'descriptor'>,
  readers: readonly Reader[],
): Promise<void> {
  if (identity === null) return
  const granted = new Set(descriptor.grants.map(({ key }) => key))
  for (const reader of readers) {
    if (granted.has(reader.key)) continue
    await store.calls.putGrant(z.encode(laterGrant, await createLaterGrant(hash, identity, reader)))
  }
}
