import * as z from 'zod/mini'
import { market } from '../base/marketSchema.ts'
import { payee, tokWei, usdcUnits } from '../base/wire.ts'
import { defineAction } from './action.ts'

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

export const topUp = defineAction({
  name: 'top-up',
  verb: 'Add to deposit',
  title: 'Add to your deposit',
  done: 'Added to the deposit',
  explain: 'Adds USDC to your deposit in a market.',
  input: z.strictObject({ market, amountUsdc: usdcUnits }),
  contract: 'depositVault',
  functions: ['topUp(uint256 amountUsdc)'],
  withPermit: 'topUpWithPermit(uint256 amountUsdc, TokenPermit permit)',
  pays: ({ amountUsdc }) => ({ usdc: { amount: amountUsdc, spender: 'depositVault' } }),
  proof: ['ToppedUp'],
})

/** A gift: only the agent can withdraw it. */
export const emergencyTopUp = defineAction({
  name: 'emergency-top-up',
  verb: 'Add for another wallet',
  title: "Add to another wallet's deposit",
  done: "Added to another wallet's deposit",
  explain: "Adds your USDC to another wallet's deposit as a gift, so that its tasks can continue.",
  input: z.strictObject({ market, agent: payee, amountUsdc: usdcUnits }),
  contract: 'depositVault',
  functions: ['topUpFor(address agent, uint256 amountUsdc)'],
  pays: ({ amountUsdc }) => ({ usdc: { amount: amountUsdc, spender: 'depositVault' } }),
  proof: ['ToppedUp'],
})

export const withdrawDeposit = defineAction({
  name: 'withdraw-deposit',
  verb: 'Withdraw from deposit',
  title: 'Withdraw from your deposit',
  done: 'Withdrew from the deposit',
  explain: 'Pays out USDC from your deposit; while a task reserves a part of it, some more stays locked.',
  input: z.strictObject({ market, amountUsdc: usdcUnits, to: payee }),
  contract: 'depositVault',
  functions: ['withdraw(uint256 amountUsdc, address to)'],
  proof: ['Withdrawn'],
})
