import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../market.ts'
import { maxTextBytes } from '../taskText.ts'
import { termsWire } from '../terms.ts'
import { tokWei } from '../wire.ts'

/** The text is what `criteriaHash` of the terms is the hash of: see `textOf`. */
export const postTask = defineAction({
  name: 'post-task',
  summary: 'Post a task for anyone to claim, with all, some or none of its money.',
  operation: { task: 'post' },
  as: 'poster',
  input: z.strictObject({
    market,
    terms: termsWire,
    text: z.string().check(z.maxLength(maxTextBytes)),
    fundAmountTokWei: tokWei,
  }),
  contract: 'taskRegistry',
  functions: ['post(TaskTerms terms, string text, uint256 fundAmountTokWei)'],
  pays: ({ fundAmountTokWei }) => ({ tokWei: fundAmountTokWei }),
  clock: 'claim',
  proof: ['TaskPosted'],
})
