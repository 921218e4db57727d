import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../market.ts'
import { payee } from '../wire.ts'

export const withdrawAward = defineAction({
  name: 'withdraw-award',
  summary: 'Take out TOK that you got from slashed arbitrators, or from a bond that could not be pushed to you.',
  input: z.strictObject({ market, to: payee }),
  contract: 'arbitration',
  functions: ['withdraw(address to)'],
  proof: ['Withdrawn'],
})
