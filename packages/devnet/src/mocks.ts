import { concat, encodeDeployData, getContractAddress, type Hex, type LocalAccount, zeroHash } from 'viem'
import { mockFeedAbi } from './abis/mockFeed.ts'
import { create2Proxy, multicall3, usdc } from './addresses.ts'
import type { DevnetClient } from './client.ts'
import { mockFeedCreation } from './creations/mockFeed.ts'
import { mockUSDCCreation } from './creations/mockUSDC.ts'
import { multicall3Creation } from './creations/multicall3.ts'
import { send, sendData } from './send.ts'

/** USD 0.0025 for one TOK, with the feed's 8 decimals. */
const tokUsdAnswer = 250_000n
const feedCreation = encodeDeployData({ ...mockFeedCreation, args: [8, tokUsdAnswer] })

/** The TOK/USD feed of the local chain. */
export const mockFeed = getContractAddress({
  opcode: 'CREATE2',
  from: create2Proxy,
  salt: zeroHash,
  bytecode: feedCreation,
})

/** Puts what a bare anvil lacks where chain 8453 has it: USDC with an open mint, Multicall3, a price feed. Once is enough. */
export async function placeMocks(client: DevnetClient, account: LocalAccount): Promise<void> {
  await client.setCode({ address: usdc, bytecode: await runtimeCode(client, mockUSDCCreation.bytecode) })
  await client.setCode({ address: multicall3, bytecode: await runtimeCode(client, multicall3Creation.bytecode) })
  if (await client.getCode({ address: mockFeed })) return
  await sendData(client, account, { to: create2Proxy, data: concat([zeroHash, feedCreation]) })
}

/** Writes the feed's price anew: after a jump in time it would be too old for the oracle. */
export async function refreshPrice(client: DevnetClient, account: LocalAccount): Promise<void> {
  const { timestamp } = await client.getBlock()
  await send(client, account, {
    address: mockFeed,
    abi: mockFeedAbi,
    functionName: 'set',
    args: [tokUsdAnswer, timestamp, timestamp],
  })
}

/** When the feed's price was written, in unix seconds. */
export async function priceTime(client: DevnetClient): Promise<number> {
  const [, , , updatedAt] = await client.readContract({
    address: mockFeed,
    abi: mockFeedAbi,
    functionName: 'latestRoundData',
  })
  return Number(updatedAt)
}

/** What a creation leaves behind, without creating it. */
async function runtimeCode(client: DevnetClient, creation: Hex): Promise<Hex> {
  const { data } = await client.call({ data: creation })
  if (!data) throw new Error('The creation code returned nothing.')
  return data
}
