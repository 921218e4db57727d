import { stakingVaultAbi } from '@svc/protocol/abis'
import type { WalletBalances } from '@svc/protocol/actions'
import { type Address, erc20Abi } from 'viem'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'

/** Reads the allowances of a wallet for a market's contracts, and its Action Credits. */
export async function readWalletBalances(
  { client }: Provider,
  { tokToken, usdc, paymentGateway, depositVault, stakingVault }: MarketAddresses,
  wallet: Address,
  block: BlockRef,
): Promise<WalletBalances> {
  const allowance = (address: Address, spender: Address) =>
    ({ address, abi: erc20Abi, functionName: 'allowance', args: [wallet, spender] }) as const
  const [tokAllowance, toVault, toGateway, credits] = await client.multicall({
    allowFailure: false,
    blockNumber: block.number,
    contracts: [
      allowance(tokToken, paymentGateway),
      allowance(usdc, depositVault),
      allowance(usdc, paymentGateway),
      { address: stakingVault, abi: stakingVaultAbi, functionName: 'creditsOf', args: [wallet] },
    ],
  })
  return { tokAllowance, usdcAllowance: { depositVault: toVault, paymentGateway: toGateway }, credits }
}
