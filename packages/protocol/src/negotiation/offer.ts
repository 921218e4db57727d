import { type Hex, isAddressEqual } from 'viem'
import { TextTooLongError } from '../tasks/taskText.ts'
import { findTermsProblems, sealTerms, type TermsDocument, verifyTerms } from '../terms/terms.ts'
import type { Changes, Situation } from './kind.ts'
import { assertAllowed, MessageRefusedError } from './messageErrors.ts'

const fixed = ['chainId', 'market', 'taskRegistry', 'asset', 'poster', 'worker'] as const

/** Makes terms the current offer, with no acceptances. Rejects wrong hashes, other parties, and terms that the registry would reject. */
export function makeOffer(terms: TermsDocument, { state, chainId, sentAt }: Situation): Changes {
  for (const field of fixed)
    assertAllowed(terms[field] === state.terms[field], `its terms change the field ${field}, which is fixed.`)
  assertAllowed(terms.chainId === chainId, `its terms are for chain ${terms.chainId}, not ${chainId}.`)
  assertAllowed(verifyTerms(terms), 'the hashes in its terms do not match the text and the numbers.')
  const [problem] = findTermsProblems(terms, sentAt)
  assertAllowed(problem === undefined, `the registry would reject its terms: ${problem}`)
  const { arbitrator } = terms
  const parties = Object.values(state.parties)
  assertAllowed(
    !arbitrator || !parties.some((party) => isAddressEqual(party, arbitrator)),
    'a party cannot be the arbitrator.',
  )
  return { terms, acceptances: {} }
}

/** Replaces the current offer. Rejects the message if `replaces` is not the current offer, or if nothing changes. */
export function replaceOffer(replaces: Hex, terms: TermsDocument, situation: Situation): Changes {
  const current = situation.state.terms.settlementDigest
  assertAllowed(replaces === current, `it replaces ${replaces}, but the current offer is ${current}.`)
  assertAllowed(terms.settlementDigest !== current, 'it changes nothing.')
  return makeOffer(terms, situation)
}

/** Changes parts of the current offer. Rejects the message if the result does not have the digest that it names. */
export function amendOffer(
  amendment: Partial<Pick<TermsDocument, 'milestones' | 'arbitrator'>>,
  { replaces, digest }: { replaces: Hex; digest: Hex },
  situation: Situation,
): Changes {
  const terms = resealTerms({ ...situation.state.terms, ...amendment })
  assertAllowed(
    terms.settlementDigest === digest,
    `the amended terms have digest ${terms.settlementDigest}, not ${digest}.`,
  )
  return replaceOffer(replaces, terms, situation)
}

function resealTerms(terms: TermsDocument): TermsDocument {
  try {
    return sealTerms(terms)
  } catch (error) {
    if (error instanceof TextTooLongError) throw new MessageRefusedError(error.message)
    throw error
  }
}
