import { keccak256, stringToHex } from 'viem'
import * as z from 'zod/mini'
import { prose } from '../../taskText.ts'
import { bytes32, milestone } from '../../wire.ts'
import { assertCurrentMilestone } from '../assertCurrentMilestone.ts'
import type { Kind } from '../kind.ts'
import { assertAllowed } from '../messageErrors.ts'

const payload = z.strictObject({
  milestone,
  /** keccak256 of the reason, as `requestRevision` takes it. */
  reasonHash: bytes32,
  reason: prose,
})

/** The poster requests changes to a delivery, as often as the terms allow. */
export const revisionRequest = {
  payload,
  apply: ({ milestone, reasonHash, reason }, { state }) => {
    const { terms, revisions } = state
    assertAllowed(reasonHash === keccak256(stringToHex(reason)), 'its reasonHash does not match its reason.')
    assertAllowed(revisions < terms.maxRevisions, `the terms allow only ${terms.maxRevisions} revisions per milestone.`)
    return { ...assertCurrentMilestone(milestone, state), revisions: revisions + 1 }
  },
} as const satisfies Kind<z.output<typeof payload>>
