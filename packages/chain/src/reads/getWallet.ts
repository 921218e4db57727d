import { arbitrationAbi, stakingVaultAbi } from '@svc/protocol/abis'
import type { AgentRecord, ArbitratorRecord } from '@svc/protocol/records'
import { type Address, erc20Abi } from 'viem'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'
import { getAgent } from './agents.ts'

/** Everything a market stores about a wallet. TOK and credits in wei, USDC in its smallest unit. */
export interface WalletRecord {
  agent: AgentRecord
  arbitrator: ArbitratorRecord
  /** Balance of the wallet itself. */
  tok: bigint
  usdc: bigint
  credits: bigint
  rewards: bigint
}

/** Reads a wallet's money, deposit, reputation, stake and bond at one block. */
export async function getWallet(
  provider: Provider,
  contracts: MarketAddresses,
  wallet: Address,
  block: BlockRef,
): Promise<WalletRecord> {
  const args = [wallet] as const
  const staking = { address: contracts.stakingVault, abi: stakingVaultAbi, args } as const
  const [{ agent }, [tok, usdc, credits, rewards, arbitrator]] = await Promise.all([
    getAgent(provider, contracts, wallet, block),
    provider.client.multicall({
      allowFailure: false,
      blockNumber: block.number,
      contracts: [
        { address: contracts.tokToken, abi: erc20Abi, functionName: 'balanceOf', args },
        { address: contracts.usdc, abi: erc20Abi, functionName: 'balanceOf', args },
        { ...staking, functionName: 'creditsOf' },
        { ...staking, functionName: 'rewardsOf' },
        { address: contracts.arbitration, abi: arbitrationAbi, functionName: 'arbitratorOf', args },
      ],
    }),
  ])
  return { agent, arbitrator: { address: wallet, ...arbitrator }, tok, usdc, credits, rewards }
}
