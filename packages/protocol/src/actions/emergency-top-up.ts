import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../market.ts'
import { payee, usdcUnits } from '../wire.ts'

/** A gift: only the agent can withdraw it. */
export const emergencyTopUp = defineAction({
  name: 'emergency-top-up',
  summary: "Add your USDC to another agent's deposit, so that its tasks go on.",
  input: z.strictObject({ market, agent: payee, amountUsdc: usdcUnits }),
  contract: 'depositVault',
  functions: ['topUpFor(address agent, uint256 amountUsdc)'],
  pays: ({ amountUsdc }) => ({ usdc: { amount: amountUsdc, spender: 'depositVault' } }),
  proof: ['ToppedUp'],
})
