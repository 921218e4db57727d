import { markets } from '@svc/protocol'
import { arbitrationAbi, depositVaultAbi, escrowVaultAbi, stakingVaultAbi } from '@svc/protocol/abis'
import { writeInput } from '@svc/protocol/actions'
import type { LocalAccount } from 'viem'
import type { CarryOut } from './carryOut.ts'
import { actionNamed, type Deed } from './choose.ts'
import type { PlannedChain } from './plannedChain.ts'

/** More blocks than it takes to empty a wallet's places in both markets. */
const maxBlocks = 40

/** Of a crowd, every second one takes home all it has; the others stay, so that there is something left to compare. */
export const goesHome = (_: LocalAccount, index: number): boolean => index % 2 === 0

/** Has these wallets take out of both markets all that is theirs. What cannot be taken out is a fault of `carryOut`. */
export async function takeHome(
  chain: PlannedChain,
  wallets: readonly LocalAccount[],
  carryOut: CarryOut,
): Promise<void> {
  for (let block = 0; block < maxBlocks; block++) {
    const looks = (await Promise.all(wallets.map((wallet) => lookAt(chain, wallet)))).flat()
    const deeds = looks.flatMap(({ deed }) => deed ?? [])
    // One deed of each wallet in a block.
    const due = deeds.filter(({ by }, index) => deeds.findIndex((each) => each.by === by) === index)
    const waits = looks.flatMap(({ wakeAt }) => wakeAt ?? [])
    if (due.length > 0) await carryOut(due)
    else if (waits.length > 0) await chain.mine([], Math.max(1, Math.max(...waits) - chain.head().timestamp))
    else return
  }
  throw new Error(`After ${maxBlocks} blocks somebody still has something in a market.`)
}

/** What to do next, or when to look again; neither where nothing is left. */
interface Look {
  deed?: Deed
  wakeAt?: number
}

/** What a wallet has in each market, and the next thing it does about it. */
async function lookAt({ client, deployments, head }: PlannedChain, by: LocalAccount): Promise<Look[]> {
  return Promise.all(
    markets.map(async (market): Promise<Look> => {
      const belongings = await belongingsOf({ client, deployments }, by, market)
      const { staked, rewards, free, award, payout, arbitrator } = belongings
      const deed = (name: string, input: Record<string, unknown> = {}): Look => {
        const action = actionNamed(name)
        return {
          deed: { life: null, action, by, input: writeInput(action, { market, ...input }), touches: [by.address] },
        }
      }
      if (staked > 0n) return deed('unstake', { amountTokWei: staked })
      if (rewards > 0n) return deed('claim-rewards')
      if (free > 0n) return deed('withdraw-deposit', { amountUsdc: free, to: by.address })
      if (award > 0n) return deed('withdraw-award', { to: by.address })
      if (payout > 0n) return deed('withdraw-payout', { to: by.address })
      if (arbitrator.bond === 0n) return {}
      if (arbitrator.unbondAt === 0) return deed('request-unbond')
      return arbitrator.unbondAt <= head().timestamp ? deed('unbond') : { wakeAt: arbitrator.unbondAt }
    }),
  )
}

/** All that a wallet could have in a market's contracts, straight from their storage. */
export async function belongingsOf(
  { client, deployments }: Pick<PlannedChain, 'client' | 'deployments'>,
  { address }: Pick<LocalAccount, 'address'>,
  market: (typeof markets)[number],
) {
  const { stakingVault, depositVault, arbitration, escrowVault } = deployments.markets[market]
  const [union, judges] = [
    { address: stakingVault, abi: stakingVaultAbi, args: [address] },
    { address: arbitration, abi: arbitrationAbi, args: [address] },
  ] as const
  const [staked, rewards, free, award, payout, arbitrator] = await client.multicall({
    allowFailure: false,
    contracts: [
      { ...union, functionName: 'stakedOf' },
      { ...union, functionName: 'rewardsOf' },
      { address: depositVault, abi: depositVaultAbi, functionName: 'freeOf', args: [address] },
      { ...judges, functionName: 'withdrawableOf' },
      { address: escrowVault, abi: escrowVaultAbi, functionName: 'withdrawableOf', args: [address] },
      { ...judges, functionName: 'arbitratorOf' },
    ],
  })
  return { staked, rewards, free, award, payout, arbitrator }
}
