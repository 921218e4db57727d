import type { Market, PaidPlan } from '@svc/protocol'
import { type ActionContracts, actions, type Call, callsOf } from '@svc/protocol/actions'
import type { Address } from 'viem'

interface Purchase {
  market: Market
  tier: PaidPlan
  beneficiary: Address
  payWith: 'tok' | 'usdc'
  maxAmount: bigint
}

const name = 'buy-plan'

/** What a wallet signs to buy a plan for itself, given what it allows the gateway already. */
export function buyPlanCalls(purchase: Purchase, contracts: ActionContracts, allowance: bigint): Call[] {
  const action = actions.find((each) => each.name === name)
  if (!action) throw new Error(`There is no action ${name}.`)
  const [tok, usdc] = purchase.payWith === 'tok' ? [allowance, 0n] : [0n, allowance]
  return callsOf(
    action,
    { ...purchase },
    {
      from: purchase.beneficiary,
      contracts,
      purse: { tokAllowance: tok, usdcAllowance: { depositVault: 0n, paymentGateway: usdc }, credits: 0n },
    },
  )
}
