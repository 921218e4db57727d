import type { ArbitratorRecord } from '@svc/protocol/records'
import * as z from 'zod'
import { metaJson } from './meta.ts'
import { addressText, amountText, count, momentOrNull, orNull } from './scalars.ts'

/** An arbitrator and its bond. */
const verifierJson = z.object({
  address: addressText.describe('Address of the arbitrator.'),
  bondTokWei: amountText.describe('Bond, in TOK wei.'),
  openCases: count.describe('Cases that it is seated on.'),
  resolved: count.describe('Cases that it ruled on.'),
  timedOut: count.describe('Cases in which it was silent.'),
  slashedTokWei: amountText.describe('Lost by slashing so far, in TOK wei.'),
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
  const { address, bond, openCases, resolved, timedOut, slashed, unbondAt } = arbitrator
  return {
    address,
    bondTokWei: String(bond),
    openCases,
    resolved,
    timedOut,
    slashedTokWei: String(slashed),
    unbondAt: orNull(unbondAt),
  }
}
