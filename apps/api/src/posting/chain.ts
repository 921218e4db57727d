import { blockHashAt, type Mined, minedTransaction, type Providers } from '@svc/chain'
import { awayError, HttpError } from '@svc/serve'
import type { Hex } from 'viem'
import { createTurns } from './turns.ts'

/** What is asked of the chain about one log. */
export interface Chain {
  /** A transaction on the chain; answers 409 while it is not there, 503 while the chain is away. */
  transaction: (hash: Hex) => Promise<Mined>
  /** Whether a block is on the chain. */
  has: (block: { number: bigint; hash: Hex }) => Promise<boolean>
}

const away = () => awayError('CHAIN_UNREACHABLE', 'The chain cannot be read now.')

/** Asks two providers of which neither is believed alone, where there are two. Callers with the same question share it. */
export function createChain(providers: Pick<Providers, 'all'>): Chain {
  const turn = createTurns(32, 5_000, away)
  const asked = new Map<string, Promise<unknown>>()
  const share = <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const already = asked.get(key) as Promise<T> | undefined
    if (already) return already
    const answer = turn(ask)
      .catch(() => {
        throw away()
      })
      .finally(() => asked.delete(key))
    asked.set(key, answer)
    return answer
  }

  return {
    async transaction(hash) {
      const mined = await share(hash, () => minedTransaction(providers, hash))
      if (mined) return mined
      throw notFound()
    },
    has: async ({ number, hash }) => (await share(`${number}`, () => blockHashAt(providers, number))) === hash,
  }
}

/** The transaction may come, or come back. */
export const notFound = () =>
  new HttpError(409, 'TX_NOT_FOUND', 'The transaction is not on the chain yet.', { headers: { 'retry-after': '2' } })
