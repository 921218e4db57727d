import type { Wealth } from '@svc/chain'
import type { Scene } from '@svc/devnet'
import { depositVaultAbi, stakingVaultAbi } from '@svc/protocol/abis'
import { type Address, erc20Abi } from 'viem'

/** What a wallet has in a market at the last block. */
export async function wealthOf({ contracts, client }: Scene, wallet: Address): Promise<Wealth> {
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
