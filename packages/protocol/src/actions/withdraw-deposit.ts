import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../market.ts'
import { payee, usdcUnits } from '../wire.ts'

export const withdrawDeposit = defineAction({
  name: 'withdraw-deposit',
  summary: 'Take USDC that no task reserves out of your deposit.',
  input: z.strictObject({ market, amountUsdc: usdcUnits, to: payee }),
  contract: 'depositVault',
  functions: ['withdraw(uint256 amountUsdc, address to)'],
  proof: ['Withdrawn'],
})
