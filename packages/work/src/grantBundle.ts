import { createLaterGrant, laterGrant } from '@svc/protocol/internal/work'
import { getReadingKey, type OpenedBundle, type Reader } from '@svc/protocol/work'
import { type Hex, isAddressEqual } from 'viem'
import * as z from 'zod/mini'
import { listIdentities } from './deviceKeys.ts'
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
  const { keys } = store
  if (identity === null || !keys) return
  const own = new Set(await Promise.all(listIdentities(keys).map(getReadingKey)))
  // Only the own grants of a descriptor count. The author of another's could have put noise there, to lock out a judge.
  if (isAddressEqual(descriptor.author, keys.wallet)) for (const { key } of descriptor.grants) own.add(key)
  for (const reader of readers) {
    if (own.has(reader.key)) continue
    await store.calls.putGrant(z.encode(laterGrant, await createLaterGrant(hash, identity, reader)))
  }
}
