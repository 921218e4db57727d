import { SvcError } from '@svc/protocol'
import type { VerifySignature } from '@svc/protocol/negotiation'
import {
  type CheckedStatement,
  checkStatement,
  getReadingKey,
  listLiveStatements,
  type Reader,
  signedStatement,
  workLimits,
} from '@svc/protocol/work'
import { type Address, isAddressEqual } from 'viem'
import * as z from 'zod/mini'
import type { SignInContext } from './deviceKeys.ts'
import type { StoreConnection } from './storeConnection.ts'

export interface FindReadersOptions extends SignInContext {
  verifySignature: VerifySignature
  /** Unix seconds. */
  now: number
}

/**
 * Finds the reading keys of wallets, from statements that the store holds and this function checks, and adds the own key.
 * Throws NO_READING_KEY for a wallet without a valid statement: a bundle sealed without it would be unreadable for it.
 *
 * @example
 * ```ts
 * const readers = await findReaders(store, [poster], { domain, chainId, verifySignature, now })
 * ```
 */
export async function findReaders(
  store: StoreConnection,
  wallets: readonly Address[],
  options: FindReadersOptions,
): Promise<Reader[]> {
  const { keys } = store
  const own = keys ? [{ reader: keys.wallet, key: await getReadingKey(keys.readingIdentity) }] : []
  const readers: Reader[] = [...own]
  for (const wallet of wallets) {
    if (keys && isAddressEqual(wallet, keys.wallet)) continue
    const statements = await listCheckedStatements(store, wallet, options)
    if (statements.length === 0) {
      throw new SvcError('NO_READING_KEY', `${wallet} has no valid key statement at this store.`, {
        hint: 'Ask its owner to sign in once.',
      })
    }
    readers.push(...statements.map(({ readingKey }) => ({ reader: wallet, key: readingKey })))
  }
  return [...new Map(readers.map((each) => [each.key, each])).values()]
}

/** Lists the statements of a wallet that count now. What the store made up or left expired is skipped. */
export async function listCheckedStatements(
  store: StoreConnection,
  wallet: Address,
  { domain, chainId, verifySignature, now }: FindReadersOptions,
): Promise<CheckedStatement[]> {
  const { body } = await store.calls.listStatements({ wallet })
  const checked: CheckedStatement[] = []
  for (const given of body.statements.slice(0, 4 * workLimits.statements)) {
    const { success, data } = z.safeParse(signedStatement, given)
    if (!success) continue
    const use = { domains: [domain], chainId, wallet, now, verifySignature }
    const statement = await checkStatement(data, use).catch(() => null)
    if (statement) checked.push(statement)
  }
  return listLiveStatements(checked, now)
}
