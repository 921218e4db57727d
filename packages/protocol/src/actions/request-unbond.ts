import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../marketSchema.ts'

export const requestUnbond = defineAction({
  name: 'request-unbond',
  verb: 'Stop arbitrating',
  title: 'Stop being an arbitrator',
  done: 'Requested to stop being an arbitrator',
  explain: 'Stops new cases; your bond is free after seven days and the end of your last case.',
  input: z.strictObject({ market }),
  contract: 'arbitration',
  functions: ['requestUnbond()'],
  deadline: 'unbond',
  proof: ['UnbondRequested'],
})
