import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../marketSchema.ts'
import { usdcUnits } from '../wire.ts'

export const topUp = defineAction({
  name: 'top-up',
  verb: 'Top up deposit',
  title: 'Top up your deposit',
  done: 'Topped up the deposit',
  explain: 'Adds USDC to your deposit in a market.',
  input: z.strictObject({ market, amountUsdc: usdcUnits }),
  contract: 'depositVault',
  functions: ['topUp(uint256 amountUsdc)'],
  withPermit: 'topUpWithPermit(uint256 amountUsdc, TokenPermit permit)',
  pays: ({ amountUsdc }) => ({ usdc: { amount: amountUsdc, spender: 'depositVault' } }),
  proof: ['ToppedUp'],
})
