import { createNode, createSimulation } from '@svc/simulation/chain'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { ContestedBlockError } from '../../apps/indexer/src/errors.ts'
import { decideNextStep } from '../../apps/indexer/src/nextStep.ts'
import { createSimProvider } from '../harness/followSimulation.ts'

/** A chain of 20 blocks, and the same one after block 15 was replaced. Both have the same seed. */
function createFork(extra: number) {
  const [old, current] = [createSimulation({ seed: 7 }), createSimulation({ seed: 7 })]
  old.mine(20)
  current.mine(20)
  current.reorg(6, 6 + extra)
  const [frozen, honest] = [old, current].map((simulation, index) =>
    createSimProvider(simulation, createNode(simulation), `provider ${index + 1}`),
  )
  const { number, hash, timestamp } = old.chain.head()
  const cursor = { number: BigInt(number), hash, timestamp }
  return { old, cursor, providers: [frozen, honest].filter((each) => each !== undefined) }
}

test.each([1, 2, 10])(
  'a provider that stopped before a reorganisation does not hide it, %i blocks on',
  async (extra) => {
    const { old, cursor, providers } = createFork(extra)
    const options = {
      chainId: old.places.chainId,
      addresses: Object.values(old.places.markets.micro),
      maxBlocks: 20,
      readHash: async (number: bigint): Promise<Hex | null> => old.chain.blocks[Number(number)]?.hash ?? null,
      oldest: async () => 0n,
    }
    for (const order of [providers, providers.toReversed()]) {
      const deciding = decideNextStep(order, cursor, options)
      await expect(deciding).rejects.toThrow(ContestedBlockError)
      await expect(deciding).rejects.toThrow('have different blocks 20')
    }
  },
)
