import { encodeTaskText, type MarketParams, type TaskTerms } from '@svc/protocol'
import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import type { Random } from '../random.ts'
import { keccakText } from './hash.ts'

const subjects = [
  'Translate a leaflet',
  'Tune a slow query',
  'Find a phone number',
  'Crop ten scans',
  'Review a contract',
]
const lot = '000000000000'
const tok = 10n ** 18n

/** A published text for each subject and number of milestones, with a placeholder that makes it unique. */
const templates = [1, 2, 3, 4].map((count) =>
  subjects.map((title) =>
    encodeTaskText({
      title,
      criteria: `Lot ${lot}. As the guide says; ask before you start if anything is unclear.`,
      milestones: Array.from({ length: count }, (_, index) => `Part ${index + 1}`),
    }),
  ),
)

/** Creates terms that a market accepts, and the text behind their hash. */
export function randomTerms(
  { below, pick, chance, word }: Random,
  { params, now, poster, arbitrator, store, isPrivate }: TermsWishes,
): { terms: TaskTerms; text: string } {
  const count = chance(0.6) ? 1 : 1 + below(4)
  // Most amounts are too small for the shares of a judge and of the final court to exceed their minimums.
  const scale = chance(0.2) ? 200n : 1n
  const between = (min: number, max: number) => BigInt(min + below(max - min + 1))
  const text = pick(templates[count - 1] ?? []).replace(lot, word().slice(0, lot.length))
  const criteriaHash: Hex = isPrivate ? `0x${word()}` : keccakText(text)
  return {
    text,
    terms: {
      poster,
      amounts: Array.from(
        { length: count },
        () => (BigInt(1 + below(2 ** 31)) * 10n ** 11n + BigInt(below(9)) * tok) * scale,
      ),
      durations: Array.from({ length: count }, () => between(params.minDuration, params.minDuration * 4)),
      reviewWindow: between(params.minReviewWindow, params.minReviewWindow * 2),
      maxRevisions: below(4),
      arbitrator: arbitrator ?? zeroAddress,
      store: store ?? zeroAddress,
      criteriaHash: criteriaHash === zeroHash ? keccakText(text) : criteriaHash,
      scope: isPrivate ? 1 : 0,
      claimPolicy: chance(0.25) ? 1 : 0,
      claimDeadline: BigInt(now) + between(params.claimCutoff, params.maxClaimDeadline),
      nonce: BigInt(`0x${word().slice(0, 12)}`),
    },
  }
}

interface TermsWishes {
  params: MarketParams
  now: number
  poster: Address
  arbitrator: Address | null
  store: Address | null
  isPrivate: boolean
}
