/** The counters that the score is computed from. */
export interface ReputationFacts {
  completedAsPoster: number
  completedAsWorker: number
  distinctCounterparties: number
  disputesWon: number
  disputesLost: number
  leaves: number
  dismissals: number
  lapses: number
}

/** The formula as text, published with every list of scores. */
export const reputationFormula =
  'max(0, 10 * min(completed, 5 * distinctCounterparties) + 5 * disputesWon - 20 * disputesLost - 5 * (leaves + dismissals + lapses)), completed = as poster + as worker'

/**
 * Computes the reputation score of a wallet from the counters of the contracts. Two wallets that only trade with each other
 * gain from at most five tasks.
 *
 * @example
 * ```ts
 * computeReputationScore(agent) // 85
 * ```
 */
export function computeReputationScore(facts: ReputationFacts): number {
  const completed = facts.completedAsPoster + facts.completedAsWorker
  const faults = facts.leaves + facts.dismissals + facts.lapses
  const earned = 10 * Math.min(completed, 5 * facts.distinctCounterparties) + 5 * facts.disputesWon
  return Math.max(0, earned - 20 * facts.disputesLost - 5 * faults)
}
