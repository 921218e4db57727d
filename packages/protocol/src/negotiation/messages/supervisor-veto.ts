import * as z from 'zod/mini'
import { prose } from '../../taskText.ts'
import { bytes32 } from '../../wire.ts'
import type { Kind } from '../kind.ts'
import { assertAllowed } from '../messageErrors.ts'

const payload = z.strictObject({ settlementDigest: bytes32, reason: prose })

/**
 * The supervisor of a party ends the negotiation. An acceptance that the party already signed stays valid on chain until the
 * party invalidates its nonce there (`invalidateNonce`).
 */
export const supervisorVeto = {
  payload,
  apply: ({ settlementDigest }, { state: { terms } }) => {
    assertAllowed(
      settlementDigest === terms.settlementDigest,
      `it vetoes ${settlementDigest}, but the current offer is ${terms.settlementDigest}.`,
    )
    return {}
  },
} as const satisfies Kind<z.output<typeof payload>>
