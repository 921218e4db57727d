import { type Hex, numberToHex, zeroAddress } from 'viem'
import { ChainReadError } from './errors.ts'
import type { Provider, Providers } from './providers.ts'
import type { At, BlockRef } from './reader.ts'
import { readBlock } from './verify.ts'

/**
 * Runs a read at one block of the past, whichever provider still has it. The block is looked up by its hash, and must be the
 * chain's own at its height before and after: calls by number see that block and no other.
 */
export function atBlock<T extends object>(
  providers: Providers,
  hash: Hex,
  read: (provider: Provider, block: BlockRef) => Promise<T>,
): Promise<At<T>> {
  return providers.read(async (provider) => {
    const block = await readBlock(provider.rpc, hash)
    if (!block) throw new BlockGoneError(provider.rpc.name, hash)
    const answer = await standingAt(provider, block, () =>
      read(provider, block).catch(async (error: unknown) => {
        throw (await hasState(provider, block)) ? error : new StateGoneError(provider.rpc.name, block)
      }),
    )
    return { ...answer, block }
  })
}

/** Runs reads on one provider at a block that is known already. Refuses where that is not its block before and after. */
export async function standingAt<T>(provider: Provider, block: BlockRef, read: () => Promise<T>): Promise<T> {
  await mustStand(provider, block)
  const answer = await read()
  await mustStand(provider, block)
  return answer
}

/** A node may keep a block that another has replaced. */
async function mustStand({ rpc }: Provider, { number, hash }: BlockRef): Promise<void> {
  if ((await readBlock(rpc, number))?.hash !== hash) throw new BlockGoneError(rpc.name, hash, number)
}

/** Nodes have many words for state they threw away; whether they have it, the balance of any account tells. */
async function hasState({ rpc }: Provider, { number }: BlockRef): Promise<boolean> {
  return rpc.request('eth_getBalance', [zeroAddress, numberToHex(number)]).then(
    () => true,
    () => false,
  )
}

/** A block that is not on the chain: reorganised away, or never there. */
export class BlockGoneError extends ChainReadError {
  override name = 'BlockGoneError'

  constructor(provider: string, hash: Hex, number?: bigint) {
    const which = number === undefined ? `Block ${hash}` : `Block ${number} with hash ${hash}`
    super(`${which} is not on the chain that ${provider} follows: it was reorganised away, or never there.`, {
      retryable: true,
    })
  }
}

/** A block whose state the node has thrown away. */
export class StateGoneError extends ChainReadError {
  override name = 'StateGoneError'

  constructor(provider: string, { number }: BlockRef) {
    super(`${provider} has block ${number}, but not its state: it is too old for this node; ask an archive node.`, {
      retryable: true,
    })
  }
}
