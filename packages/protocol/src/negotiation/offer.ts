import { type Hex, isAddressEqual } from 'viem'
import { TextTooLongError } from '../taskText.ts'
import { sealTerms, type TermsDocument, termsProblems, verifyTerms } from '../terms.ts'
import type { Changes, Situation } from './kind.ts'
import { demand, MessageRefusedError } from './refusal.ts'

const fixed = ['chainId', 'market', 'taskRegistry', 'asset', 'poster', 'worker'] as const

/** Makes terms the standing offer, which nobody accepted yet. Refuses false hashes, other parties, and what no registry would take. */
export function offer(terms: TermsDocument, { state, chainId, sentAt }: Situation): Changes {
  for (const field of fixed) demand(terms[field] === state.terms[field], `its terms change the ${field}.`)
  demand(terms.chainId === chainId, `its terms are for chain ${terms.chainId}, not ${chainId}.`)
  demand(verifyTerms(terms), 'the hashes in its terms are not those of the words and numbers.')
  const [problem] = termsProblems(terms, sentAt)
  demand(problem === undefined, `no registry takes its terms: ${problem}`)
  const { arbitrator } = terms
  const parties = Object.values(state.parties)
  demand(!arbitrator || !parties.some((party) => isAddressEqual(party, arbitrator)), 'a party cannot be arbitrator.')
  return { terms, acceptances: {} }
}

/** Makes the standing offer another one. Refuses when `replaces` is not the offer that stands, or nothing changes. */
export function replaceOffer(replaces: Hex, terms: TermsDocument, situation: Situation): Changes {
  const standing = situation.state.terms.settlementDigest
  demand(replaces === standing, `it replaces ${replaces}, but ${standing} stands.`)
  demand(terms.settlementDigest !== standing, 'it changes nothing.')
  return offer(terms, situation)
}

/** Changes parts of the standing offer. Refuses when the outcome is not what `digest` names. */
export function amendOffer(
  amendment: Partial<Pick<TermsDocument, 'milestones' | 'arbitrator'>>,
  { replaces, digest }: { replaces: Hex; digest: Hex },
  situation: Situation,
): Changes {
  const terms = resealed({ ...situation.state.terms, ...amendment })
  demand(terms.settlementDigest === digest, `the amended terms have digest ${terms.settlementDigest}, not ${digest}.`)
  return replaceOffer(replaces, terms, situation)
}

function resealed(terms: TermsDocument): TermsDocument {
  try {
    return sealTerms(terms)
  } catch (error) {
    if (error instanceof TextTooLongError) throw new MessageRefusedError(error.message)
    throw error
  }
}
