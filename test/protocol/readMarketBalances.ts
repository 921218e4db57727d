import type { MarketBalances } from '@svc/chain'
import type { Scene } from '@svc/devnet'
import { depositVaultAbi, stakingVaultAbi } from '@svc/protocol/abis'
import { type Address, erc20Abi } from 'viem'

/** Reads the balances of a wallet in a market at the latest block. */
export async function readMarketBalances({ contracts, client }: Scene, wallet: Address): Promise<MarketBalances> {
  const args = [wallet] as const
  const [tok, usdc, deposit, free, credits] = await client.multicall({
    allowFailure: false,
    contracts: [
      { address: contracts.tokToken, abi: erc20Abi, functionName: 'balanceOf', args },
      { address: contracts.usdc, abi: erc20Abi, functionName: 'balanceOf', args },
      { address: contracts.depositVault, abi: depositVaultAbi, functionName: 'balanceOf', args },
      { address: contracts.depositVault, abi: depositVaultAbi, functionName: 'freeOf', args },
      { address: contracts.stakingVault, abi: stakingVaultAbi, functionName: 'creditsOf', args },
    ],
  })
  return { tok, usdc, deposit, free, credits }
}
