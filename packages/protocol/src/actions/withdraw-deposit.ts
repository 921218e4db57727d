import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../marketSchema.ts'
import { payee, usdcUnits } from '../wire.ts'

export const withdrawDeposit = defineAction({
  name: 'withdraw-deposit',
  verb: 'Withdraw from deposit',
  title: 'Withdraw from your deposit',
  done: 'Withdrew from the deposit',
  explain: 'Pays out USDC from your deposit; while a task reserves a part of it, 17 USDC more stay locked.',
  input: z.strictObject({ market, amountUsdc: usdcUnits, to: payee }),
  contract: 'depositVault',
  functions: ['withdraw(uint256 amountUsdc, address to)'],
  proof: ['Withdrawn'],
})
