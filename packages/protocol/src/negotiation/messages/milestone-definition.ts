import * as z from 'zod/mini'
import { termsDocument } from '../../terms/terms.ts'
import { bytes32 } from '../../wire.ts'
import type { Kind } from '../kind.ts'
import { amendOffer } from '../offer.ts'

const payload = z.strictObject({
  /** The digest of the current offer. */
  replaces: bytes32,
  milestones: termsDocument.shape.milestones,
  /** The digest of the terms with these milestones. */
  settlementDigest: bytes32,
})

/** A counter offer that changes only the milestones. */
export const milestoneDefinition = {
  payload,
  apply: ({ replaces, milestones, settlementDigest }, situation) =>
    amendOffer({ milestones }, { replaces, digest: settlementDigest }, situation),
} as const satisfies Kind<z.output<typeof payload>>
