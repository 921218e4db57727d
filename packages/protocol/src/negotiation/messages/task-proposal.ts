import * as z from 'zod/mini'
import { termsDocument } from '../../terms/terms.ts'
import type { Kind } from '../kind.ts'
import { makeOffer } from '../offer.ts'

const payload = z.strictObject({ terms: termsDocument })

/** The first message: terms that name both parties. */
export const taskProposal = {
  payload,
  apply: ({ terms }, situation) => makeOffer(terms, situation),
} as const satisfies Kind<z.output<typeof payload>>
