import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../marketSchema.ts'

export const unbond = defineAction({
  name: 'unbond',
  verb: 'Withdraw bond',
  title: 'Withdraw your bond',
  done: 'Withdrew the bond',
  explain: 'Pays your bond back once the seven days are over.',
  input: z.strictObject({ market }),
  contract: 'arbitration',
  functions: ['unbond()'],
  proof: ['Unbonded'],
})
