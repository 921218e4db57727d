import { hashTypedData, isAddressEqual } from 'viem'
import * as z from 'zod/mini'
import { bytes32, nonce, payee, seconds, signatureBytes } from '../../base/wire.ts'
import { prose } from '../../tasks/taskText.ts'
import { termsDocument, toSigningContext, toTaskTerms } from '../../terms/terms.ts'
import { buildAcceptanceTypedData } from '../../terms/typedData.ts'
import type { Kind } from '../kind.ts'
import { assertAllowed } from '../messageErrors.ts'
import { amendOffer, makeOffer, replaceOffer } from '../offer.ts'

const taskProposalPayload = z.strictObject({ terms: termsDocument })

/** The first message: terms that name both parties. */
export const taskProposal = {
  payload: taskProposalPayload,
  apply: ({ terms }, situation) => makeOffer(terms, situation),
} as const satisfies Kind<z.output<typeof taskProposalPayload>>

const taskAcceptancePayload = z.strictObject({
  settlementDigest: bytes32,
  party: payee,
  nonce,
  /** Unix seconds. */
  expiry: seconds,
  /** The party's `TaskAcceptance` signature, in the form that `create` of the registry takes. */
  signature: signatureBytes,
})

/** A party accepts the current offer. The signature is valid on chain. */
export const taskAcceptance = {
  payload: taskAcceptancePayload,
  apply: async ({ settlementDigest, party, nonce, expiry, signature }, { state, sender, sentAt, isSigned, ...by }) => {
    const { terms, parties, acceptances } = state
    assertAllowed(
      settlementDigest === terms.settlementDigest,
      `it accepts ${settlementDigest}, but the current offer is ${terms.settlementDigest}.`,
    )
    assertAllowed(party === sender, 'it accepts on behalf of a wallet that did not send it.')
    assertAllowed(expiry >= sentAt, 'its acceptance had already expired when it was sent.')
    // The registry uses both nonces of the poster, and a nonce only once.
    const isTerms = by.party === 'poster' && nonce === terms.nonce
    assertAllowed(!isTerms, `its nonce ${nonce} is also the nonce of the terms. The poster must use another one.`)
    const signed = buildAcceptanceTypedData(toSigningContext(terms), {
      terms: toTaskTerms(terms),
      worker: parties.worker,
      party,
      nonce,
      expiry,
    })
    assertAllowed(await isSigned(hashTypedData(signed), signature), 'its acceptance was not signed by its sender.')
    return { acceptances: { ...acceptances, [by.party]: { nonce, expiry, data: signature } } }
  },
} as const satisfies Kind<z.output<typeof taskAcceptancePayload>>

const counterOfferPayload = z.strictObject({
  /** The digest of the current offer. */
  replaces: bytes32,
  terms: termsDocument,
  reason: z.optional(prose),
})

/** Replaces the terms. Earlier acceptances no longer count. */
export const counterOffer = {
  payload: counterOfferPayload,
  apply: ({ replaces, terms }, situation) => replaceOffer(replaces, terms, situation),
} as const satisfies Kind<z.output<typeof counterOfferPayload>>

const milestoneDefinitionPayload = z.strictObject({
  /** The digest of the current offer. */
  replaces: bytes32,
  milestones: termsDocument.shape.milestones,
  /** The digest of the terms with these milestones. */
  settlementDigest: bytes32,
})

/** A counter offer that changes only the milestones. */
export const milestoneDefinition = {
  payload: milestoneDefinitionPayload,
  apply: ({ replaces, milestones, settlementDigest }, situation) =>
    amendOffer({ milestones }, { replaces, digest: settlementDigest }, situation),
} as const satisfies Kind<z.output<typeof milestoneDefinitionPayload>>

const arbitratorProposalPayload = z.strictObject({
  arbitrator: payee,
  /** The digest of the current offer; only before the agreement. */
  replaces: z.optional(bytes32),
  /** The digest of the terms with this arbitrator; only before the agreement. */
  settlementDigest: z.optional(bytes32),
})

/** Before the agreement: a counter offer that changes only the arbitrator. In a dispute: information for the other party; the chain has its own proposals. */
export const arbitratorProposal = {
  payload: arbitratorProposalPayload,
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
} as const satisfies Kind<z.output<typeof arbitratorProposalPayload>>
