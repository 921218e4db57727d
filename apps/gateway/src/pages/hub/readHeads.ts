import { setTimeout as wait } from 'node:timers/promises'
import type { BlockRef, Providers } from '@svc/chain'
import { ChainReadError } from '@svc/chain'

/** Where one provider of the chain stands. */
export interface ProviderHead {
  name: string
  /** Null when it does not answer. */
  block: BlockRef | null
  /** How long the answer took, in milliseconds. */
  took: number
  /** Blocks behind the foremost provider. */
  behind: number
}

/** A page does not wait longer for one of several providers. */
const patienceMs = 2_000

/** Asks every provider for its newest block. Fails only when none answers. */
export async function readHeads({ all }: Providers): Promise<{ block: BlockRef; heads: readonly ProviderHead[] }> {
  const asked = await Promise.all(
    all.map(async ({ rpc, client }) => {
      const began = performance.now()
      const found = client.getBlock().then(
        ({ number, hash, timestamp }): BlockRef => ({ number, hash, timestamp: Number(timestamp) }),
        () => null,
      )
      const block = await Promise.race([found, wait(patienceMs, null, { ref: false })])
      return { name: rpc.name, block, took: Math.round(performance.now() - began) }
    }),
  )
  const [block] = asked.flatMap((each) => each.block ?? []).toSorted((a, b) => Number(b.number - a.number))
  if (!block) throw new ChainReadError('No provider answers.', { retryable: true })
  const heads = asked.map((each) => ({ ...each, behind: each.block ? Number(block.number - each.block.number) : 0 }))
  return { block, heads }
}
