import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../marketSchema.ts'
import { payee, usdcUnits } from '../wire.ts'

/** A gift: only the agent can withdraw it. */
export const emergencyTopUp = defineAction({
  name: 'emergency-top-up',
  verb: 'Top up for another wallet',
  title: "Top up another wallet's deposit",
  done: "Topped up another wallet's deposit",
  explain: "Adds your USDC to another wallet's deposit as a gift, so that its tasks can continue.",
  input: z.strictObject({ market, agent: payee, amountUsdc: usdcUnits }),
  contract: 'depositVault',
  functions: ['topUpFor(address agent, uint256 amountUsdc)'],
  pays: ({ amountUsdc }) => ({ usdc: { amount: amountUsdc, spender: 'depositVault' } }),
  proof: ['ToppedUp'],
})
