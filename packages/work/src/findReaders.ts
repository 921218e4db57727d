import { SvcError } from '@svc/protocol'
import { isLiveStatement, listLiveStatements, signedStatement } from '@svc/protocol/internal/work'
import type { VerifySignature } from '@svc/protocol/negotiation'
import {
  type CheckedStatement,
  checkStatement,
  getReadingKey,
  type Reader,
  type SignedStatement,
  WorkError,
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
  /** The key statement in the task's published text. The store cannot hide it, so it is used before all others. */
  published?: PublishedStatement | null | undefined
}

/** A poster and the key statement that it published with its task. */
export interface PublishedStatement {
  wallet: Address
  statement: SignedStatement
}

/**
 * Finds the reading keys of wallets, from the published text and from the store. This function checks every statement, and
 * adds the own key.
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
  const { readers, waiting } = await findKnownReaders(store, wallets, options)
  if (waiting.length === 0) return readers
  throw new SvcError('NO_READING_KEY', `${waiting.join(', ')} has no valid key statement at this store.`, {
    hint: 'Ask its owner to sign in once.',
  })
}

/**
 * Finds the same, but a wallet without a valid statement is `waiting`: what is sealed now has no grant for it, and its author shares
 * it once that wallet has signed in. Nobody can keep others from sending work by never signing in.
 *
 * @example
 * ```ts
 * const { readers, waiting } = await findKnownReaders(store, [poster], { domain, chainId, verifySignature, now })
 * ```
 */
export async function findKnownReaders(
  store: StoreConnection,
  wallets: readonly Address[],
  options: FindReadersOptions,
): Promise<{ readers: Reader[]; waiting: Address[] }> {
  const { keys } = store
  const readers: Reader[] = keys ? [{ reader: keys.wallet, key: await getReadingKey(keys.readingIdentity) }] : []
  const waiting: Address[] = []
  for (const wallet of new Set(wallets)) {
    if (keys && isAddressEqual(wallet, keys.wallet)) continue
    const statements = await listCheckedStatements(store, wallet, options)
    readers.push(...statements.map(({ readingKey }) => ({ reader: wallet, key: readingKey })))
    if (statements.length === 0) waiting.push(wallet)
  }
  return { readers: [...new Map(readers.map((each) => [each.key, each])).values()], waiting }
}

/**
 * Lists the statements of a wallet that count now: the published one first, unless a newer one revokes it. What the store made
 * up or left expired is skipped.
 */
export async function listCheckedStatements(
  store: StoreConnection,
  wallet: Address,
  { domain, chainId, verifySignature, now, published }: FindReadersOptions,
): Promise<CheckedStatement[]> {
  const { body } = await store.calls.listStatements({ wallet })
  const check = async (given: unknown) => {
    const { success, data } = z.safeParse(signedStatement, given)
    if (!success) return null
    const use = { domains: [domain], chainId, wallet, now, verifySignature }
    return checkStatement(data, use).catch((error: unknown) => {
      if (error instanceof WorkError) return null
      throw error
    })
  }
  const checked: CheckedStatement[] = []
  for (const given of body.statements.slice(0, 4 * workLimits.statements)) {
    const statement = await check(given)
    if (statement) checked.push(statement)
  }
  const first = published && isAddressEqual(published.wallet, wallet) ? await check(published.statement) : null
  const live = listLiveStatements(checked, now)
  if (!first || !isLiveStatement(first, checked, now)) return live
  return [first, ...live.filter(({ hash }) => hash !== first.hash)]
}
