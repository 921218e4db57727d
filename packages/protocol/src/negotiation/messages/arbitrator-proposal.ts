import { isAddressEqual } from 'viem'
import * as z from 'zod/mini'
import { bytes32, payee } from '../../wire.ts'
import type { Kind } from '../kind.ts'
import { amendOffer } from '../offer.ts'
import { demand } from '../refusal.ts'

const payload = z.strictObject({
  arbitrator: payee,
  /** The digest of the offer that stands; only before the agreement. */
  replaces: z.optional(bytes32),
  /** The digest of the terms with this arbitrator; only before the agreement. */
  settlementDigest: z.optional(bytes32),
})

/** Before the agreement a counter offer that changes only the arbitrator; in a dispute a word to the other party, for the chain has its own. */
export const arbitratorProposal = {
  payload,
  apply: ({ arbitrator, replaces, settlementDigest: digest }, situation) => {
    const { phase, parties } = situation.state
    if (phase === 'DISPUTED') {
      demand(!replaces && !digest, 'in a dispute it cannot change the terms: leave out replaces and settlementDigest.')
      const isParty = Object.values(parties).some((party) => isAddressEqual(party, arbitrator))
      demand(!isParty, 'a party cannot be arbitrator.')
      return {}
    }
    demand(
      Boolean(replaces && digest),
      'before the agreement it must say what it replaces and the new settlementDigest.',
    )
    return replaces && digest ? amendOffer({ arbitrator }, { replaces, digest }, situation) : {}
  },
} as const satisfies Kind<z.output<typeof payload>>
