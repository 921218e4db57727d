import { getChainProfile } from '@svc/protocol'
import { create2Deployer } from '@svc/protocol/internal/base'
import { type Address, concat, encodeDeployData, getContractAddress, type Hex, type LocalAccount, zeroHash } from 'viem'
import { mockFeedAbi, mockUSDCAbi } from './abis/mocks.ts'
import { multicall3, usdc } from './addresses.ts'
import type { DevnetClient } from './client.ts'
import { mockFeedCreation, mockUSDCCreation, multicall3Creation } from './creations/mocks.ts'
import { sendCall, sendTransaction } from './send.ts'

/** USD 0.0025 per TOK, with the feed's 8 decimals. */
const tokUsdAnswer = 250_000n
const feedCreation = encodeDeployData({ ...mockFeedCreation, args: [8, tokUsdAnswer] })

/** The TOK/USD feed of the local chain. */
export const mockFeed = getContractAddress({
  opcode: 'CREATE2',
  from: create2Deployer,
  salt: zeroHash,
  bytecode: feedCreation,
})

/** Deploys what anvil lacks at the addresses of its chain: USDC that anyone can mint, Multicall3, and a price feed. Idempotent. */
export async function deployMocks(client: DevnetClient, account: LocalAccount): Promise<void> {
  await client.setCode({ address: getUsdc(client), bytecode: await runtimeCode(client, mockUSDCCreation.bytecode) })
  await nameUsdc(client, account)
  await client.setCode({ address: multicall3, bytecode: await runtimeCode(client, multicall3Creation.bytecode) })
  if (await client.getCode({ address: mockFeed })) return
  await sendTransaction(client, account, { to: create2Deployer, data: concat([zeroHash, feedCreation]) })
}

/** Gives USDC the name that it has on this chain, because permits are signed for it. */
async function nameUsdc(client: DevnetClient, account: LocalAccount): Promise<void> {
  const usdcContract = { address: getUsdc(client), abi: mockUSDCAbi }
  const { usdcName } = getChainProfile(client.chain.id)
  if ((await client.readContract({ ...usdcContract, functionName: 'name' })) === usdcName) return
  await sendCall(client, account, { ...usdcContract, functionName: 'setName', args: [usdcName] })
}

/** Returns the address of USDC on the chain of a client. */
export const getUsdc = ({ chain }: DevnetClient): Address => getChainProfile(chain.id).usdc ?? usdc

/** Updates the feed's timestamp. After a jump in time the price would be too old for the oracle. */
export async function refreshPrice(client: DevnetClient, account: LocalAccount): Promise<void> {
  const { timestamp } = await client.getBlock()
  await sendCall(client, account, {
    address: mockFeed,
    abi: mockFeedAbi,
    functionName: 'set',
    args: [tokUsdAnswer, timestamp, timestamp],
  })
}

/** Returns when the feed's price was updated, in unix seconds. */
export async function getPriceTime(client: DevnetClient): Promise<number> {
  const [, , , updatedAt] = await client.readContract({
    address: mockFeed,
    abi: mockFeedAbi,
    functionName: 'latestRoundData',
  })
  return Number(updatedAt)
}

/** Returns the runtime code that creation code would deploy. */
async function runtimeCode(client: DevnetClient, creation: Hex): Promise<Hex> {
  const { data } = await client.call({ data: creation })
  if (!data) throw new Error('The creation code returned nothing.')
  return data
}
