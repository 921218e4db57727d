import { ApiError } from '@svc/client'
import { openIdentity } from '@svc/protocol/internal/work'
import { type ExpectedBundle, type Reader, WorkError } from '@svc/protocol/work'
import { type Address, getAddress, isAddress } from 'viem'
import { fetchDescriptor } from './fetchBundle.ts'
import { type FindReadersOptions, findKnownReaders } from './findReaders.ts'
import { grantBundle } from './grantBundle.ts'
import type { StoreConnection } from './storeConnection.ts'

/**
 * What became of one bundle. `missing`: the store does not hold it, perhaps because its hash was never that of a bundle.
 * `removed`: the store removed it by notice. `closed`: it was not shared with the keys of this device. `wrong`: it is not what
 * the chain says, and nobody should open it.
 */
export interface GrantedBundle {
  expected: ExpectedBundle
  outcome: 'granted' | 'missing' | 'removed' | 'closed' | 'wrong'
}

/**
 * Lets further readers open the bundles of a task, such as its judge when a dispute opens. Fetches keys only, never the content.
 * A bundle that cannot be shared does not stop the others: the answer says why. Failures of the network are thrown; calling it
 * again is harmless.
 *
 * @example
 * ```ts
 * const { readers } = await findCourtReaders(store, listSeatedJudges(dispute, finalCourt), options)
 * const bundles = await grantTaskBundles(store, listBundleReferences(context, timeline), readers)
 * ```
 */
export async function grantTaskBundles(
  store: StoreConnection,
  references: readonly ExpectedBundle[],
  readers: readonly Reader[],
): Promise<GrantedBundle[]> {
  // A party can put the same hash on chain twice.
  const distinct = [...new Map(references.map((each) => [each.hash, each])).values()]
  const bundles: GrantedBundle[] = []
  for (const expected of readers.length === 0 ? [] : distinct) {
    bundles.push({ expected, outcome: await grantExpected(store, expected, readers) })
  }
  return bundles
}

async function grantExpected(
  store: StoreConnection,
  expected: ExpectedBundle,
  readers: readonly Reader[],
): Promise<GrantedBundle['outcome']> {
  const outcome = await tryBundle(async () => {
    const opened = await openIdentity(await fetchDescriptor(store, expected))
    await grantBundle(store, expected.hash, opened, readers)
  })
  return outcome ?? 'granted'
}

/**
 * Says whether the keys of this device open a bundle, or why not, without fetching its content.
 *
 * @example
 * ```ts
 * for (const expected of references) console.log(expected.hash, await inspectBundle(store, expected))
 * ```
 */
export async function inspectBundle(
  store: StoreConnection,
  expected: ExpectedBundle,
): Promise<'readable' | Exclude<GrantedBundle['outcome'], 'granted'>> {
  return (await tryBundle(async () => openIdentity(await fetchDescriptor(store, expected)))) ?? 'readable'
}

async function tryBundle(use: () => Promise<unknown>): Promise<Exclude<GrantedBundle['outcome'], 'granted'> | null> {
  try {
    await use()
    return null
  } catch (error) {
    if (error instanceof WorkError) return error.code === 'NO_GRANT' ? 'closed' : 'wrong'
    if (error instanceof ApiError && error.code === 'BUNDLE_NOT_FOUND') return 'missing'
    if (error instanceof ApiError && error.code === 'BUNDLE_REMOVED') return 'removed'
    throw error
  }
}

/**
 * Finds the reading keys of the store's clerk and of judges, from statements that this function checks. The clerk passes work on
 * to judges who are seated later. Wallets without a statement are `waiting`: they can be granted nothing before they sign in.
 *
 * @example
 * ```ts
 * const { readers, waiting } = await findCourtReaders(store, [judge], { domain, chainId, verifySignature, now })
 * ```
 */
export async function findCourtReaders(
  store: StoreConnection,
  judges: readonly Address[],
  options: FindReadersOptions,
  { withClerk = true }: { withClerk?: boolean } = {},
): Promise<{ readers: Reader[]; waiting: Address[] }> {
  const clerk = withClerk ? (await store.calls.getStore({})).body.clerk : null
  const wallets = [...judges, ...(clerk && isAddress(clerk) ? [getAddress(clerk)] : [])]
  const { readers, waiting } = await findKnownReaders(store, wallets, options)
  return { readers: readers.filter(({ reader }) => reader !== store.keys?.wallet), waiting }
}
