import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../market.ts'

export const unbond = defineAction({
  name: 'unbond',
  summary: 'Take your bond back once the cooldown is over.',
  input: z.strictObject({ market }),
  contract: 'arbitration',
  functions: ['unbond()'],
  proof: ['Unbonded'],
})
