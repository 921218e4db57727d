import { ChainReadError } from './errors.ts'
import type { Provider, Providers } from './providers.ts'
import type { At, BlockRef } from './reader.ts'

/** The newest block that a provider has. */
export async function headOf({ client }: Provider): Promise<BlockRef> {
  const { number, hash, timestamp } = await client.getBlock()
  return { number, hash, timestamp: Number(timestamp) }
}

/**
 * Runs a read at the newest block of one provider and answers with that block. The block is looked at again afterwards: if
 * another took its place meanwhile, calls by number have seen both, and the whole read is made again.
 */
export function atHead<T extends object>(
  providers: Providers,
  read: (provider: Provider, block: BlockRef) => Promise<T>,
): Promise<At<T>> {
  return providers.read(async (provider) => {
    const block = await headOf(provider)
    const answer = await read(provider, block)
    const { hash } = await provider.client.getBlock({ blockNumber: block.number })
    if (hash !== block.hash) {
      throw new ChainReadError(`Block ${block.number} was replaced while it was read.`, { retryable: true })
    }
    return { ...answer, block }
  })
}
