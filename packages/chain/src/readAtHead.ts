import { ChainReadError } from './errors.ts'
import type { Provider, Providers } from './providers.ts'
import type { At, BlockRef } from './reader.ts'

/** Returns the newest block of a provider. */
export async function getHead({ client }: Provider): Promise<BlockRef> {
  const { number, hash, timestamp } = await client.getBlock()
  return { number, hash, timestamp: Number(timestamp) }
}

/**
 * Runs a read at the newest block of one provider and returns that block with the result. If a reorg replaced the block during
 * the read, its calls may have seen both blocks, so the whole read is retried.
 */
export function readAtHead<T extends object>(
  providers: Providers,
  read: (provider: Provider, block: BlockRef) => Promise<T>,
): Promise<At<T>> {
  return providers.read(async (provider) => {
    const block = await getHead(provider)
    const answer = await read(provider, block)
    const { hash } = await provider.client.getBlock({ blockNumber: block.number })
    if (hash !== block.hash) {
      throw new ChainReadError(`Block ${block.number} was replaced by a reorg during the read.`, { retryable: true })
    }
    return { ...answer, block }
  })
}
