import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../marketSchema.ts'
import { usdcUnits } from '../wire.ts'

/** Zero takes the allowance back. */
export const approveUsdcVault = defineAction({
  name: 'approve-usdc-vault',
  verb: 'Allow USDC',
  title: 'Allow the deposit vault to take USDC',
  done: 'Allowed the deposit vault to take USDC',
  explain: 'Allows the deposit vault to take exactly this much of your USDC; zero takes the allowance back.',
  input: z.strictObject({ market, amountUsdc: usdcUnits }),
  contract: 'usdc',
  functions: ['approve(address depositVault, uint256 amountUsdc)'],
  proof: ['Approval'],
})
