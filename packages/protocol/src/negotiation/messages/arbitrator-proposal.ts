import { isAddressEqual } from 'viem'
import * as z from 'zod/mini'
import { bytes32, payee } from '../../wire.ts'
import type { Kind } from '../kind.ts'
import { assertAllowed } from '../messageErrors.ts'
import { amendOffer } from '../offer.ts'

const payload = z.strictObject({
  arbitrator: payee,
  /** The digest of the current offer; only before the agreement. */
  replaces: z.optional(bytes32),
  /** The digest of the terms with this arbitrator; only before the agreement. */
  settlementDigest: z.optional(bytes32),
})

/** Before the agreement: a counter offer that changes only the arbitrator. In a dispute: information for the other party; the chain has its own proposals. */
export const arbitratorProposal = {
  payload,
  apply: ({ arbitrator, replaces, settlementDigest: digest }, situation) => {
    const { phase, parties } = situation.state
    if (phase === 'DISPUTED') {
      assertAllowed(
        !replaces && !digest,
        'it cannot change the terms in a dispute. Leave out replaces and settlementDigest.',
      )
      const isParty = Object.values(parties).some((party) => isAddressEqual(party, arbitrator))
      assertAllowed(!isParty, 'a party cannot be the arbitrator.')
      return {}
    }
    assertAllowed(Boolean(replaces && digest), 'it must contain replaces and settlementDigest before the agreement.')
    return replaces && digest ? amendOffer({ arbitrator }, { replaces, digest }, situation) : {}
  },
} as const satisfies Kind<z.output<typeof payload>>
