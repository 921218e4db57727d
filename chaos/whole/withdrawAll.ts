import { markets } from '@svc/protocol'
import { arbitrationAbi, depositVaultAbi, escrowVaultAbi, stakingVaultAbi } from '@svc/protocol/abis'
import type { LocalAccount } from 'viem'
import type { ExecuteActions } from './actionExecutor.ts'
import { type PlannedAction, planWalletAction } from './chooseAction.ts'
import type { PlannedChain } from './plannedChain.ts'

/** More blocks than it takes to withdraw everything from both markets. */
const maxBlocks = 40

/** Every second wallet withdraws everything; the others leave something to compare. */
export const withdrawsAtEnd = (_: LocalAccount, index: number): boolean => index % 2 === 0

/** Withdraws everything these wallets have in both markets. What cannot be withdrawn is a failure of `executeActions`. */
export async function withdrawAll(
  chain: PlannedChain,
  wallets: readonly LocalAccount[],
  executeActions: ExecuteActions,
): Promise<void> {
  for (let block = 0; block < maxBlocks; block++) {
    const looks = (await Promise.all(wallets.map((wallet) => findNextWithdrawals(chain, wallet)))).flat()
    const actions = looks.flatMap(({ planned }) => planned ?? [])
    // One action of each wallet per block.
    const due = actions.filter(({ by }, index) => actions.findIndex((each) => each.by === by) === index)
    const waits = looks.flatMap(({ wakeAt }) => wakeAt ?? [])
    if (due.length > 0) await executeActions(due)
    else if (waits.length > 0) await chain.mine([], Math.max(1, Math.max(...waits) - chain.head().timestamp))
    else return
  }
  throw new Error(`Wallets still have funds in a market after ${maxBlocks} blocks.`)
}

/** The next action, or the time to try again. Empty when nothing is left. */
interface NextWithdrawal {
  planned?: PlannedAction
  wakeAt?: number
}

/** Finds what a wallet withdraws next in each market. */
async function findNextWithdrawals(chain: PlannedChain, by: LocalAccount): Promise<NextWithdrawal[]> {
  return Promise.all(
    markets.map(async (market): Promise<NextWithdrawal> => {
      const { staked, rewards, free, award, payout, arbitrator } = await readMarketHoldings(chain, by, market)
      const plan = (name: string, input: Record<string, unknown> = {}): NextWithdrawal => ({
        planned: planWalletAction(name, by, { market, ...input }, [by.address]),
      })
      if (staked > 0n) return plan('unstake', { amountTokWei: staked })
      if (rewards > 0n) return plan('claim-rewards')
      if (free > 0n) return plan('withdraw-deposit', { amountUsdc: free, to: by.address })
      if (award > 0n) return plan('withdraw-award', { to: by.address })
      if (payout > 0n) return plan('withdraw-payout', { to: by.address })
      if (arbitrator.bond === 0n) return {}
      if (arbitrator.unbondAt === 0) return plan('request-unbond')
      return arbitrator.unbondAt <= chain.head().timestamp ? plan('unbond') : { wakeAt: arbitrator.unbondAt }
    }),
  )
}

/** Reads what a wallet has in a market's contracts, from their storage. */
export async function readMarketHoldings(
  { client, deployments }: Pick<PlannedChain, 'client' | 'deployments'>,
  { address }: Pick<LocalAccount, 'address'>,
  market: (typeof markets)[number],
) {
  const { stakingVault, depositVault, arbitration, escrowVault } = deployments.markets[market]
  const [union, arbitrators] = [
    { address: stakingVault, abi: stakingVaultAbi, args: [address] },
    { address: arbitration, abi: arbitrationAbi, args: [address] },
  ] as const
  const [staked, rewards, free, award, payout, arbitrator] = await client.multicall({
    allowFailure: false,
    contracts: [
      { ...union, functionName: 'stakedOf' },
      { ...union, functionName: 'rewardsOf' },
      { address: depositVault, abi: depositVaultAbi, functionName: 'freeOf', args: [address] },
      { ...arbitrators, functionName: 'withdrawableOf' },
      { address: escrowVault, abi: escrowVaultAbi, functionName: 'withdrawableOf', args: [address] },
      { ...arbitrators, functionName: 'arbitratorOf' },
    ],
  })
  return { staked, rewards, free, award, payout, arbitrator }
}
