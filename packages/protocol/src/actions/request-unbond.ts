import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../market.ts'

export const requestUnbond = defineAction({
  name: 'request-unbond',
  summary: 'Stop being an arbitrator; the bond is free after seven days without an open case.',
  input: z.strictObject({ market }),
  contract: 'arbitration',
  functions: ['requestUnbond()'],
  clock: 'unbond',
  proof: ['UnbondRequested'],
})
