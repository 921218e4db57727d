import { getAgreedBlockHash, getMinedTransaction, type MinedTransaction, type Providers } from '@svc/chain'
import { ServiceError, unavailable } from '@svc/operations'
import { createSemaphore } from '@svc/serve'
import type { Hex } from 'viem'

/** Questions to the chain about one log. */
export interface Chain {
  /** Returns a transaction; throws 409 if it is not on the chain yet, 503 if the chain is unreachable. */
  transaction: (hash: Hex) => Promise<MinedTransaction>
  /** Whether a block is on the chain. */
  has: (block: { number: bigint; hash: Hex }) => Promise<boolean>
}

const unreachable = () => unavailable('CHAIN_UNREACHABLE', 'The chain cannot be read now.')

/** Asks two providers, if there are two, and requires them to agree. Concurrent callers with the same question share the request. */
export function createChain(providers: Pick<Providers, 'all'>): Chain {
  const turn = createSemaphore(32, 5_000, unreachable)
  const pending = new Map<string, Promise<unknown>>()
  const share = <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const already = pending.get(key) as Promise<T> | undefined
    if (already) return already
    const answer = turn(ask)
      .catch(() => {
        throw unreachable()
      })
      .finally(() => pending.delete(key))
    pending.set(key, answer)
    return answer
  }

  return {
    async transaction(hash) {
      const mined = await share(hash, () => getMinedTransaction(providers, hash))
      if (mined) return mined
      throw notFound()
    },
    has: async ({ number, hash }) => (await share(`${number}`, () => getAgreedBlockHash(providers, number))) === hash,
  }
}

/** The transaction may still be mined, or mined again after a reorg. */
export const notFound = () =>
  new ServiceError('TX_NOT_FOUND', 'The transaction is not on the chain yet.', { retryAfter: 2 })
