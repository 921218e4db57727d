import type { Market, PaidPlan } from '@svc/protocol'
import { type ActionContracts, actions, buildCalls, type Call } from '@svc/protocol/actions'
import type { Address } from 'viem'

interface Purchase {
  market: Market
  tier: PaidPlan
  beneficiary: Address
  payWith: 'tok' | 'usdc'
  maxAmount: bigint
}

/** The calls that a wallet signs to buy a plan for itself, given its current allowance. */
export function buyPlanCalls(purchase: Purchase, contracts: ActionContracts, allowance: bigint): Call[] {
  const [tok, usdc] = purchase.payWith === 'tok' ? [allowance, 0n] : [0n, allowance]
  return buildCalls(actions['buy-plan'], purchase, {
    from: purchase.beneficiary,
    contracts,
    balances: { tokAllowance: tok, usdcAllowance: { depositVault: 0n, paymentGateway: usdc }, credits: 0n },
  })
}
