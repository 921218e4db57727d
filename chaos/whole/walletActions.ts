import type { MarketReader } from '@svc/chain'
import { markets } from '@svc/protocol'
import { paidPlans } from '@svc/protocol/internal/money'
import type { Random } from '@svc/simulation/random'
import { type LocalAccount, parseUnits } from 'viem'
import { type PlannedAction, planWalletAction } from './chooseAction.ts'
import type { PlannedChain } from './plannedChain.ts'
import { drawNonce } from './taskRun.ts'
import { readMarketHoldings } from './withdrawAll.ts'

/** Draws an action that belongs to no task: deposits, allowances, the Union and plans. */
export async function drawWalletAction(
  random: Random,
  wallets: readonly LocalAccount[],
  direct: MarketReader,
  chain: PlannedChain,
): Promise<PlannedAction> {
  const [by, market] = [random.pick(wallets), random.pick(markets)]
  const other = random.pick(wallets)
  const tok = () => parseUnits(String(1 + random.below(2_000)), 18) + BigInt(random.below(1_000))
  const usdc = () => parseUnits(String(1 + random.below(50)), 6) + BigInt(random.below(1_000))
  const plan = (name: string, input: Record<string, unknown>): PlannedAction =>
    planWalletAction(name, by, { market, ...input }, [by.address, other.address])
  const buyPlan = async () => {
    const [tier, payWith] = [random.pick(paidPlans), random.pick(['tok', 'usdc'] as const)]
    const { quote } = await direct.getPlanQuote(market, tier, payWith)
    return plan('buy-plan', { tier, beneficiary: other.address, payWith, maxAmount: quote.amount })
  }
  /** Unstakes half, or claims rewards. Stakes if there is nothing to take out. */
  const inUnion = async () => {
    const { staked, rewards } = await readMarketHoldings(chain, by, market)
    const isLeaving = random.chance(0.5)
    if (staked === 0n || (rewards === 0n && !isLeaving)) return plan('stake', { amountTokWei: tok() })
    return isLeaving ? plan('unstake', { amountTokWei: (staked + 1n) / 2n }) : plan('claim-rewards', {})
  }
  return random.pick<() => PlannedAction | Promise<PlannedAction>>([
    () => plan('top-up', { amountUsdc: usdc() }),
    () => plan('emergency-top-up', { agent: other.address, amountUsdc: usdc() }),
    () => plan('withdraw-deposit', { amountUsdc: usdc(), to: by.address }),
    () => plan('stake', { amountTokWei: tok() }),
    inUnion,
    inUnion,
    () => plan('approve-usdc-vault', { amountUsdc: usdc() }),
    () => plan('invalidate-nonce', { nonce: drawNonce(random) }),
    buyPlan,
    buyPlan,
  ])()
}
