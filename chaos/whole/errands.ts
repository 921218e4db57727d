import type { MarketReader } from '@svc/chain'
import { markets, paidPlans } from '@svc/protocol'
import { writeInput } from '@svc/protocol/actions'
import { type LocalAccount, parseUnits } from 'viem'
import type { Random } from '../sim/random.ts'
import { actionNamed, type Deed } from './choose.ts'
import { nonceOf } from './life.ts'
import type { PlannedChain } from './plannedChain.ts'
import { belongingsOf } from './takeHome.ts'

/** What a wallet does that is about no task: money of its own, the Union, and plans. */
export async function drawErrand(
  random: Random,
  wallets: readonly LocalAccount[],
  direct: MarketReader,
  chain: PlannedChain,
): Promise<Deed> {
  const [by, market] = [random.pick(wallets), random.pick(markets)]
  const other = random.pick(wallets)
  const tok = () => parseUnits(String(1 + random.below(2_000)), 18) + BigInt(random.below(1_000))
  const usdc = () => parseUnits(String(1 + random.below(50)), 6) + BigInt(random.below(1_000))
  const deed = (name: string, input: Record<string, unknown>): Deed => {
    const action = actionNamed(name)
    return {
      life: null,
      action,
      by,
      input: writeInput(action, { market, ...input }),
      touches: [by.address, other.address],
    }
  }
  const buyPlan = async () => {
    const [tier, payWith] = [random.pick(paidPlans), random.pick(['tok', 'usdc'] as const)]
    const { quote } = await direct.getPlanQuote(market, tier, payWith)
    return deed('buy-plan', { tier, beneficiary: other.address, payWith, maxAmount: quote.amount })
  }
  /** Half of what it has, and all of its rewards; where it has nothing, it stakes. */
  const inUnion = async () => {
    const { staked, rewards } = await belongingsOf(chain, by, market)
    const isLeaving = random.chance(0.5)
    if (staked === 0n || (rewards === 0n && !isLeaving)) return deed('stake', { amountTokWei: tok() })
    return isLeaving ? deed('unstake', { amountTokWei: (staked + 1n) / 2n }) : deed('claim-rewards', {})
  }
  return random.pick<() => Deed | Promise<Deed>>([
    () => deed('top-up', { amountUsdc: usdc() }),
    () => deed('emergency-top-up', { agent: other.address, amountUsdc: usdc() }),
    () => deed('withdraw-deposit', { amountUsdc: usdc(), to: by.address }),
    () => deed('stake', { amountTokWei: tok() }),
    inUnion,
    inUnion,
    () => deed('approve-usdc-vault', { amountUsdc: usdc() }),
    () => deed('invalidate-nonce', { nonce: nonceOf(random) }),
    buyPlan,
    buyPlan,
  ])()
}
