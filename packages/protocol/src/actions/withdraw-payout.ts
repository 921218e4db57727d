import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../marketSchema.ts'
import { payee } from '../wire.ts'

/** A payment that a wallet could not receive waits for it in the vault. */
export const withdrawPayout = defineAction({
  name: 'withdraw-payout',
  verb: 'Withdraw payout',
  title: 'Withdraw a payout',
  done: 'Withdrew the payout',
  explain: 'Pays out TOK that the escrow could not send to you: a payment, a refund or an exit deposit.',
  input: z.strictObject({ market, to: payee }),
  contract: 'escrowVault',
  functions: ['withdraw(address to)'],
  proof: ['Withdrawn'],
})
