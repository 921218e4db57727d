import * as z from 'zod/mini'
import { prose } from '../../taskText.ts'
import { termsDocument } from '../../terms/terms.ts'
import { bytes32 } from '../../wire.ts'
import type { Kind } from '../kind.ts'
import { replaceOffer } from '../offer.ts'

const payload = z.strictObject({
  /** The digest of the current offer. */
  replaces: bytes32,
  terms: termsDocument,
  reason: z.optional(prose),
})

/** Replaces the terms. Earlier acceptances no longer count. */
export const counterOffer = {
  payload,
  apply: ({ replaces, terms }, situation) => replaceOffer(replaces, terms, situation),
} as const satisfies Kind<z.output<typeof payload>>
