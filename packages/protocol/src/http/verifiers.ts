import * as z from 'zod/mini'
import type { ArbitratorRecord } from '../records/agent.ts'
import { metaJson } from './meta.ts'
import { addressText, amountText, count, momentOrNull, orNull } from './scalars.ts'

/** An arbitrator and the bond behind it. */
const verifierJson = z.object({
  address: addressText,
  bondTokWei: amountText,
  openCases: count,
  resolved: count,
  timedOut: count,
  slashedTokWei: amountText,
  /** When the bond may be taken back; null while nobody asked for it. */
  unbondAt: momentOrNull,
})

export type VerifierJson = z.infer<typeof verifierJson>

/** Arbitrators, largest bond first. */
export const verifiersJson = z.object({ verifiers: z.array(verifierJson), meta: metaJson })

/** An arbitrator on the wire. */
export function verifierJsonOf(arbitrator: ArbitratorRecord): VerifierJson {
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
