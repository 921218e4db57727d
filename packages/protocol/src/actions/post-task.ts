import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../marketSchema.ts'
import { maxTextBytes } from '../taskText.ts'
import { termsWire } from '../terms/terms.ts'
import { tokWei } from '../wire.ts'

/** The text is what `criteriaHash` of the terms is the hash of: see `formatTermsText`. */
export const postTask = defineAction({
  name: 'post-task',
  verb: 'Post task',
  title: 'Post a task',
  done: 'Posted the task',
  explain:
    'Posts a task that anyone can claim, with all, some or none of its budget in escrow; locks an exit deposit of 1,000 TOK until the task ends.',
  operation: { task: 'post' },
  side: 'poster',
  input: z.strictObject({
    market,
    terms: termsWire,
    text: z.string().check(z.maxLength(maxTextBytes)),
    fundAmountTokWei: tokWei,
  }),
  contract: 'taskRegistry',
  functions: ['post(TaskTerms terms, string text, uint256 fundAmountTokWei)'],
  pays: ({ fundAmountTokWei }) => ({ tokWei: fundAmountTokWei }),
  deadline: 'claim',
  proof: ['TaskPosted'],
})
