import * as z from 'zod/mini'
import { prose } from '../../taskText.ts'
import { bytes32 } from '../../wire.ts'
import type { Kind } from '../kind.ts'
import { demand } from '../refusal.ts'

const payload = z.strictObject({ settlementDigest: bytes32, reason: prose })

/**
 * The supervisor of a party ends the negotiation. An acceptance that the party signed before stays good on chain: the party
 * must spend its nonce there (`invalidateNonce`).
 */
export const supervisorVeto = {
  payload,
  apply: ({ settlementDigest }, { state: { terms } }) => {
    demand(
      settlementDigest === terms.settlementDigest,
      `it forbids ${settlementDigest}, but ${terms.settlementDigest} stands.`,
    )
    return {}
  },
} as const satisfies Kind<z.output<typeof payload>>
