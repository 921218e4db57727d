import * as z from 'zod/mini'
import { termsDocument } from '../../terms.ts'
import type { Kind } from '../kind.ts'
import { offer } from '../offer.ts'

const payload = z.strictObject({ terms: termsDocument })

/** The first message: terms that name both parties. */
export const taskProposal = {
  payload,
  apply: ({ terms }, situation) => offer(terms, situation),
} as const satisfies Kind<z.output<typeof payload>>
