import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../marketSchema.ts'
import { paidPlans } from '../plans.ts'
import { payee, tokWei } from '../wire.ts'

/** The price is the chain's; `maxAmount` is in units of the asset, and what is not needed of it stays in the wallet. */
export const buyPlan = defineAction({
  name: 'buy-plan',
  verb: 'Buy plan',
  title: 'Buy a posting plan',
  done: 'Bought the posting plan',
  explain: 'Buys 30 days of a posting plan, for yourself or for another wallet.',
  input: z.strictObject({
    market,
    tier: z.enum(paidPlans),
    beneficiary: payee,
    payWith: z.enum(['tok', 'usdc']),
    maxAmount: tokWei,
  }),
  contract: 'paymentGateway',
  functions: ['buyPlan(bytes32 tier, address beneficiary, address payWith, uint256 maxAmount)'],
  withPermit:
    'buyPlanWithPermit(bytes32 tier, address beneficiary, address payWith, uint256 maxAmount, TokenPermit permit)',
  pays: ({ payWith, maxAmount }) =>
    payWith === 'tok' ? { tokWei: maxAmount } : { usdc: { amount: maxAmount, spender: 'paymentGateway' } },
  deadline: 'plan',
  proof: ['PlanPurchased'],
})
