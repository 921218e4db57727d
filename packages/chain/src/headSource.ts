import type { Providers } from './providers.ts'
import type { BlockRef } from './reader.ts'

/** The newest block, with what a block costs to be in. */
export interface Head extends BlockRef {
  baseFee: bigint
}

/**
 * Creates the one source of the newest block of a process. Callers share a question that is under way, and an answer that is not
 * older than `freshMs`.
 */
export function createHeadSource(
  providers: Pick<Providers, 'read'>,
  freshMs = 0,
  now: () => number = Date.now,
): () => Promise<Head> {
  let last: { head: Promise<Head>; until: number } | null = null
  return () => {
    if (last && now() < last.until) return last.head
    const head = providers.read(async ({ client }) => {
      const { number, hash, timestamp, baseFeePerGas } = await client.getBlock()
      return { number, hash, timestamp: Number(timestamp), baseFee: baseFeePerGas ?? 0n }
    })
    const asked = { head, until: Number.POSITIVE_INFINITY }
    last = asked
    head.then(
      () => {
        asked.until = now() + freshMs
      },
      () => {
        asked.until = 0
      },
    )
    return head
  }
}
