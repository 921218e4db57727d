import { type Hex, numberToHex, zeroAddress } from 'viem'
import { ChainReadError } from './errors.ts'
import type { Provider, Providers } from './providers.ts'
import { fetchBlock } from './quorum.ts'
import type { At, BlockRef } from './reader.ts'

/**
 * Runs a read at a past block, on any provider that still has it. The block is looked up by hash and must be canonical at its
 * height before and after the read, because the calls in between address it by number.
 */
export function readAtBlock<T extends object>(
  providers: Providers,
  hash: Hex,
  read: (provider: Provider, block: BlockRef) => Promise<T>,
): Promise<At<T>> {
  return providers.read(async (provider) => {
    const block = await fetchBlock(provider.rpc, hash)
    if (!block) throw new BlockNotFoundError(provider.rpc.name, hash)
    const answer = await withCanonicalBlock(provider, block, () =>
      read(provider, block).catch(async (error: unknown) => {
        throw (await hasState(provider, block)) ? error : new StatePrunedError(provider.rpc.name, block)
      }),
    )
    return { ...answer, block }
  })
}

/** Runs reads on one provider at a known block. Throws if the block is not canonical there before and after the reads. */
export async function withCanonicalBlock<T>(provider: Provider, block: BlockRef, read: () => Promise<T>): Promise<T> {
  await assertCanonical(provider, block)
  const answer = await read()
  await assertCanonical(provider, block)
  return answer
}

/** A node can return a block by hash even after a reorg replaced it, so the hash is compared at the block's height. */
async function assertCanonical({ rpc }: Provider, { number, hash }: BlockRef): Promise<void> {
  if ((await fetchBlock(rpc, number))?.hash !== hash) throw new BlockNotFoundError(rpc.name, hash, number)
}

/** Nodes report pruned state with different errors, so this asks for any balance at the block instead. */
async function hasState({ rpc }: Provider, { number }: BlockRef): Promise<boolean> {
  return rpc.request('eth_getBalance', [zeroAddress, numberToHex(number)]).then(
    () => true,
    () => false,
  )
}

/** The block is not on the chain: a reorg removed it, or it never existed. */
export class BlockNotFoundError extends ChainReadError {
  override name = 'BlockNotFoundError'

  constructor(provider: string, hash: Hex, number?: bigint) {
    const which = number === undefined ? `Block ${hash}` : `Block ${number} with hash ${hash}`
    super(`${which} is not on the chain of ${provider}: a reorg removed it, or it never existed.`, {
      retryable: true,
    })
  }
}

/** The node has the block, but pruned its state. */
export class StatePrunedError extends ChainReadError {
  override name = 'StatePrunedError'

  constructor(provider: string, { number }: BlockRef) {
    super(`${provider} has block ${number} but no longer its state. Use an archive node.`, {
      retryable: true,
    })
  }
}
