import { stakingVaultAbi } from '@svc/protocol/abis'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef, UnionOverview } from '../reader.ts'

/** Reads the Union's staking vault at a block. */
export async function getUnion(
  { client }: Provider,
  { stakingVault }: Pick<MarketAddresses, 'stakingVault'>,
  block: Pick<BlockRef, 'number'>,
): Promise<{ union: UnionOverview }> {
  const vault = { address: stakingVault, abi: stakingVaultAbi } as const
  const [stakingActive, totalStaked, totalCreditsIssued, creditsRemaining, creditIssuanceClosed, rewardReserve] =
    await client.multicall({
      allowFailure: false,
      blockNumber: block.number,
      contracts: [
        { ...vault, functionName: 'stakingActive' },
        { ...vault, functionName: 'totalStakedTok' },
        { ...vault, functionName: 'totalCreditsIssued' },
        { ...vault, functionName: 'creditsRemaining' },
        { ...vault, functionName: 'creditIssuanceClosed' },
        { ...vault, functionName: 'rewardReserve' },
      ],
    })
  return {
    union: { stakingActive, totalStaked, totalCreditsIssued, creditsRemaining, creditIssuanceClosed, rewardReserve },
  }
}
