import { keccak256, stringToHex } from 'viem'
import * as z from 'zod/mini'
import { prose } from '../../taskText.ts'
import { bytes32, milestone } from '../../wire.ts'
import { inWork } from '../inWork.ts'
import type { Kind } from '../kind.ts'
import { demand } from '../refusal.ts'

const payload = z.strictObject({
  milestone,
  /** keccak256 of the reason, as `requestRevision` takes it. */
  reasonHash: bytes32,
  reason: prose,
})

/** The poster wants a delivery changed, as often as the terms allow. */
export const revisionRequest = {
  payload,
  apply: ({ milestone, reasonHash, reason }, { state }) => {
    const { terms, revisions } = state
    demand(reasonHash === keccak256(stringToHex(reason)), 'its reasonHash is not the hash of its reason.')
    demand(revisions < terms.maxRevisions, `the terms allow ${terms.maxRevisions} revisions of a milestone.`)
    return { ...inWork(milestone, state), revisions: revisions + 1 }
  },
} as const satisfies Kind<z.output<typeof payload>>
