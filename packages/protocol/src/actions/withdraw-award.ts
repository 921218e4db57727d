import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../marketSchema.ts'
import { payee } from '../wire.ts'

export const withdrawAward = defineAction({
  name: 'withdraw-award',
  verb: 'Withdraw award',
  title: 'Withdraw an arbitration award',
  done: 'Withdrew the award',
  explain:
    'Pays out TOK from a dispute that could not be sent to you: a returned stake, or a part of a bond that a judge lost.',
  input: z.strictObject({ market, to: payee }),
  contract: 'arbitration',
  functions: ['withdraw(address to)'],
  proof: ['Withdrawn'],
})
