import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../marketSchema.ts'
import { tokWei } from '../wire.ts'

/** The payment gateway is the one address that takes TOK: fees, escrow, stakes and bonds. Zero takes the allowance back. */
export const approveTokRouter = defineAction({
  name: 'approve-tok-router',
  verb: 'Allow TOK',
  title: 'Allow the payment gateway to take TOK',
  done: 'Allowed the payment gateway to take TOK',
  explain: 'Allows the payment gateway to take exactly this much of your TOK; zero takes the allowance back.',
  input: z.strictObject({ market, amountTokWei: tokWei }),
  contract: 'tokToken',
  functions: ['approve(address paymentGateway, uint256 amountTokWei)'],
  proof: ['Approval'],
})
