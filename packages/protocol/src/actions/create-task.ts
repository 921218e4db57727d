import { isAddressEqual } from 'viem'
import * as z from 'zod/mini'
import { defineAction } from '../action.ts'
import { market } from '../marketSchema.ts'
import { termsWire } from '../terms/terms.ts'
import { payee, signature } from '../wire.ts'

/** Anyone who holds both acceptances may send them in; each party pays its own fee and reserve. */
export const createTask = defineAction({
  name: 'create-task',
  verb: 'Create private task',
  title: 'Create a private task',
  done: 'Created the private task',
  explain:
    'Creates a private task from the signed acceptances of both parties; each pays the access fee and locks an exit deposit of 1,000 TOK.',
  operation: { task: 'create' },
  sideFor: ({ terms, worker }, from) =>
    isAddressEqual(from, terms.poster) ? 'poster' : isAddressEqual(from, worker) ? 'worker' : null,
  input: z
    .strictObject({
      market,
      terms: termsWire,
      worker: payee,
      posterAcceptance: signature,
      workerAcceptance: signature,
    })
    .check(
      // Both are spent in the poster's one space of nonces.
      z.refine(
        ({ terms, posterAcceptance }) => terms.nonce !== posterAcceptance.nonce,
        'the terms and the acceptance of the poster need different nonces',
      ),
    ),
  contract: 'taskRegistry',
  functions: ['create(TaskTerms terms, address worker, Signature posterAcceptance, Signature workerAcceptance)'],
  deadline: 'funding',
  proof: ['TaskCreated'],
})
