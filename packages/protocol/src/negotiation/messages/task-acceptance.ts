import { hashTypedData } from 'viem'
import * as z from 'zod/mini'
import { toSigningContext, toTaskTerms } from '../../terms/terms.ts'
import { buildAcceptanceTypedData } from '../../typedData.ts'
import { bytes32, nonce, payee, seconds, signatureBytes } from '../../wire.ts'
import type { Kind } from '../kind.ts'
import { assertAllowed } from '../messageErrors.ts'

const payload = z.strictObject({
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
  payload,
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
} as const satisfies Kind<z.output<typeof payload>>
