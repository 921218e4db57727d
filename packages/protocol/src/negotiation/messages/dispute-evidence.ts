import { keccak256, stringToHex } from 'viem'
import * as z from 'zod/mini'
import { prose } from '../../taskText.ts'
import { givenHash, milestone } from '../../wire.ts'
import { inWork } from '../inWork.ts'
import type { Kind } from '../kind.ts'
import { demand } from '../refusal.ts'

const payload = z.strictObject({
  milestone,
  /** keccak256 of the evidence, as `openDispute` and `submitEvidence` take it. */
  evidenceHash: givenHash,
  /** Left out when the evidence is no text, or not for the other party yet. */
  evidence: z.optional(prose),
})

/** A party disputes a delivery, or adds to a dispute. */
export const disputeEvidence = {
  payload,
  apply: ({ milestone, evidenceHash, evidence }, { state }) => {
    const isItsHash = evidence === undefined || evidenceHash === keccak256(stringToHex(evidence))
    demand(isItsHash, 'its evidenceHash is not the hash of its evidence.')
    return inWork(milestone, state)
  },
} as const satisfies Kind<z.output<typeof payload>>
