/** What of a wallet's record makes its score. */
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

/** The score in words, as it is published beside every list. */
export const reputationFormula =
  'max(0, 10 * min(completed, 5 * distinctCounterparties) + 5 * disputesWon - 20 * disputesLost - 5 * (leaves + dismissals + lapses)), completed = as poster + as worker'

/**
 * A wallet's score, from what contracts recorded of settled tasks and nothing else. A pair of wallets that only deals with
 * each other gains at most from five tasks.
 */
export function reputationScore(facts: ReputationFacts): number {
  const completed = facts.completedAsPoster + facts.completedAsWorker
  const faults = facts.leaves + facts.dismissals + facts.lapses
  const earned = 10 * Math.min(completed, 5 * facts.distinctCounterparties) + 5 * facts.disputesWon
  return Math.max(0, earned - 20 * facts.disputesLost - 5 * faults)
}
