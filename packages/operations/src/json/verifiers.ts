import type { ArbitratorRecord } from '@svc/protocol/records'
import * as z from 'zod'
import { metaJson } from './meta.ts'
import { addressText, amountText, count, momentOrNull, orNull } from './scalars.ts'

/** An arbitrator and its bond. */
const verifierJson = z.object({
  address: addressText.describe('Address of the arbitrator.'),
  bondTokWei: amountText.describe('Bond, in TOK wei.'),
  lockedTokWei: amountText.describe('Part of the bond that open cases lock, in TOK wei.'),
  openCases: count.describe('Cases that it sits on.'),
  resolved: count.describe('Cases that it ruled on.'),
  timedOut: count.describe('Cases in which it was silent.'),
  overturned: count.describe('Rulings that the final court overturned.'),
  slashedTokWei: amountText.describe('Lost of its bond so far, and burnt, in TOK wei.'),
  unbondAt: momentOrNull.describe('When the bond can be withdrawn, in unix seconds; null if not requested.'),
})

export type VerifierJson = z.infer<typeof verifierJson>

/** Arbitrators, largest bond first. */
export const verifiersJson = z.object({
  verifiers: z.array(verifierJson).describe('Arbitrators, largest bond first.'),
  meta: metaJson,
})

/** An arbitrator on the wire. */
export function formatVerifier(arbitrator: ArbitratorRecord): VerifierJson {
  const { address, bond, locked, openCases, resolved, timedOut, overturned, slashed, unbondAt } = arbitrator
  return {
    address,
    bondTokWei: String(bond),
    lockedTokWei: String(locked),
    openCases,
    resolved,
    timedOut,
    overturned,
    slashedTokWei: String(slashed),
    unbondAt: orNull(unbondAt),
  }
}
