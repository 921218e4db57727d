import type { ChainClient, Providers } from '@svc/chain'
import type { Address } from 'viem'

/**
 * Reads how much ether a wallet has lost in the last hour and in the last day of the chain, so that a restart does not begin a
 * new budget. Ether that was sent to the wallet meanwhile hides as much spending. Throws if the provider has no old state.
 */
export function readPastSpending(providers: Providers, address: Address): Promise<{ hour: bigint; day: bigint }> {
  return providers.read(async ({ client }) => {
    const { number, timestamp } = await client.getBlock()
    const balance = await client.getBalance({ address, blockNumber: number })
    const readLoss = async (seconds: bigint) => {
      const blockNumber = await findBlockAt(client, timestamp - seconds, number)
      const before = await client.getBalance({ address, blockNumber })
      return before > balance ? before - balance : 0n
    }
    const hour = await readLoss(3_600n)
    const day = await readLoss(86_400n)
    return { hour, day: day > hour ? day : hour }
  })
}

/** Finds the last block at or before a time, by binary search; the first block if all are later. */
async function findBlockAt(client: ChainClient, time: bigint, head: bigint): Promise<bigint> {
  let [low, high] = [0n, head]
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    const { timestamp } = await client.getBlock({ blockNumber: middle })
    if (timestamp <= time) low = middle
    else high = middle - 1n
  }
  return low
}
