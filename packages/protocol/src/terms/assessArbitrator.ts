import { computeJudgeLock, minBond } from '../money/amounts.ts'
import type { ArbitratorRecord } from '../records/agent.ts'

/** What is known of an arbitrator. */
export type ArbitratorFacts = Pick<
  ArbitratorRecord,
  'bond' | 'locked' | 'unbondAt' | 'resolved' | 'timedOut' | 'overturned'
>

/** The largest milestone of a task that an arbitrator would judge, in TOK wei, and the price of TOK. */
export interface JudgedSum {
  amount: bigint
  /** As the oracle gives it, with eight decimals; null if there is no price. */
  usdPerTok: bigint | null
}

/** Above this sum a judge risks more than its fee is worth, so that honest ones decline. In whole USD. */
const maxJudgedUsd = 250n
const oneUsd = 10n ** (18n + 8n)

/**
 * Lists what speaks against naming an arbitrator in terms, in plain sentences. Empty if nothing does. Pass null for a wallet that
 * never was an arbitrator of the market.
 *
 * @example
 * ```ts
 * for (const warning of assessArbitrator(record, { amount, usdPerTok })) console.log(warning)
 * ```
 */
export function assessArbitrator(arbitrator: ArbitratorFacts | null, { amount, usdPerTok }: JudgedSum): string[] {
  const { bond = 0n, locked = 0n, unbondAt = 0, resolved = 0, timedOut = 0, overturned = 0 } = arbitrator ?? {}
  const isBonded = bond >= minBond && unbondAt === 0
  return [
    resolved === 0 && 'It has never ruled in this market.',
    !isBonded && 'It is not bonded, so it cannot take a case.',
    isBonded && bond - locked < computeJudgeLock(amount) && 'Too little of its bond is free for this sum.',
    overturned * 5 > resolved && `The final court overturned ${overturned} of its ${resolved} rulings.`,
    timedOut > 0 && `It took ${timedOut} ${timedOut === 1 ? 'case' : 'cases'} and did not rule in time.`,
    usdPerTok !== null &&
      amount * usdPerTok > maxJudgedUsd * oneUsd &&
      `Above USD ${maxJudgedUsd}, name no judge: honest ones decline, and the final court decides.`,
  ].filter((warning) => warning !== false)
}

/**
 * Finds the arbitrator to suggest for terms: nothing speaks against it, and most of its rulings stood; of several, the one with
 * the largest bond. Returns null if there is none, which leaves disputes to the final court.
 *
 * @example
 * ```ts
 * const arbitrator = suggestArbitrator(verifiers, { amount, usdPerTok })?.address ?? null
 * ```
 */
export function suggestArbitrator<Arbitrator extends ArbitratorFacts>(
  arbitrators: readonly Arbitrator[],
  sum: JudgedSum,
): Arbitrator | null {
  const countUpheld = ({ resolved, overturned }: Arbitrator) => resolved - overturned
  const [best] = arbitrators
    .filter((each) => assessArbitrator(each, sum).length === 0)
    .toSorted((a, b) => countUpheld(b) - countUpheld(a) || (a.bond < b.bond ? 1 : -1))
  return best ?? null
}
