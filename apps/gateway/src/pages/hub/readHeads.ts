import { setTimeout as wait } from 'node:timers/promises'
import type { BlockRef, Providers } from '@svc/chain'
import { ChainReadError } from '@svc/chain'

/** The newest block of one RPC provider. */
export interface ProviderHead {
  name: string
  /** Null if the provider does not respond. */
  block: BlockRef | null
  /** Response time in milliseconds. */
  took: number
  /** Blocks behind the most advanced provider. */
  behind: number
}

/** How long a page waits for each provider. */
const patienceMs = 2_000

/** Reads the newest block of every provider. Throws only if none responds. */
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
  if (!block) throw new ChainReadError('No RPC provider responds.', { retryable: true })
  const heads = asked.map((each) => ({ ...each, behind: each.block ? Number(block.number - each.block.number) : 0 }))
  return { block, heads }
}
