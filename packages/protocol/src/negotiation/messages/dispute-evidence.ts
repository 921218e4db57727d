import { keccak256, stringToHex } from 'viem'
import * as z from 'zod/mini'
import { prose } from '../../taskText.ts'
import { milestone, nonZeroHash } from '../../wire.ts'
import { assertCurrentMilestone } from '../assertCurrentMilestone.ts'
import type { Kind } from '../kind.ts'
import { assertAllowed } from '../messageErrors.ts'

const payload = z.strictObject({
  milestone,
  /** keccak256 of the evidence, as `openDispute` and `submitEvidence` take it. */
  evidenceHash: nonZeroHash,
  /** Omitted if the evidence is not text or should not be disclosed yet. */
  evidence: z.optional(prose),
})

/** A party disputes a delivery, or adds evidence to a dispute. */
export const disputeEvidence = {
  payload,
  apply: ({ milestone, evidenceHash, evidence }, { state }) => {
    const isItsHash = evidence === undefined || evidenceHash === keccak256(stringToHex(evidence))
    assertAllowed(isItsHash, 'its evidenceHash does not match its evidence.')
    return assertCurrentMilestone(milestone, state)
  },
} as const satisfies Kind<z.output<typeof payload>>
