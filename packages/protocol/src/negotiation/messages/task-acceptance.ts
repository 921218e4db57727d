import { hashTypedData } from 'viem'
import * as z from 'zod/mini'
import { contextOf, termsOf } from '../../terms.ts'
import { acceptanceTypedData } from '../../typedData.ts'
import { bytes32, nonce, payee, seconds, signatureBytes } from '../../wire.ts'
import type { Kind } from '../kind.ts'
import { demand } from '../refusal.ts'

const payload = z.strictObject({
  settlementDigest: bytes32,
  party: payee,
  nonce,
  /** Unix seconds. */
  expiry: seconds,
  /** The party's `TaskAcceptance`, as the registry's `create` takes it. */
  signature: signatureBytes,
})

/** A party's word for the standing offer, good on chain as it is. */
export const taskAcceptance = {
  payload,
  apply: async ({ settlementDigest, party, nonce, expiry, signature }, { state, sender, sentAt, isSigned, ...by }) => {
    const { terms, parties, acceptances } = state
    demand(
      settlementDigest === terms.settlementDigest,
      `it accepts ${settlementDigest}, but ${terms.settlementDigest} stands.`,
    )
    demand(party === sender, 'it accepts for another wallet than its sender.')
    demand(expiry >= sentAt, 'its acceptance had expired when it was sent.')
    // The registry spends both for the poster, and no nonce twice.
    const isTerms = by.party === 'poster' && nonce === terms.nonce
    demand(!isTerms, `its nonce ${nonce} is that of the terms: the poster needs another one.`)
    const signed = acceptanceTypedData(contextOf(terms), {
      terms: termsOf(terms),
      worker: parties.worker,
      party,
      nonce,
      expiry,
    })
    demand(await isSigned(hashTypedData(signed), signature), 'the acceptance in it is not signed by its sender.')
    return { acceptances: { ...acceptances, [by.party]: { nonce, expiry, data: signature } } }
  },
} as const satisfies Kind<z.output<typeof payload>>
