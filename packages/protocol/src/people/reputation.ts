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
  'max(0, 10 * min(completed, distinctCounterparties) + 5 * min(disputesWon, distinctCounterparties) - 20 * disputesLost - 5 * (leaves + dismissals + lapses)), completed = as poster + as worker'

/**
 * Computes the reputation score of a wallet from the counters of the contracts. It counts distinct counterparties: two
 * wallets of one owner gain from one task and one dispute, however many they settle with each other.
 *
 * @example
 * ```ts
 * computeReputationScore(agent) // 85
 * ```
 */
export function computeReputationScore(facts: ReputationFacts): number {
  const completed = facts.completedAsPoster + facts.completedAsWorker
  const faults = facts.leaves + facts.dismissals + facts.lapses
  const counted = (count: number) => Math.min(count, facts.distinctCounterparties)
  const earned = 10 * counted(completed) + 5 * counted(facts.disputesWon)
  return Math.max(0, earned - 20 * facts.disputesLost - 5 * faults)
}
