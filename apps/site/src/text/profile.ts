/** Text of a wallet's profile and of the leaderboard. */
export const profileText = {
  title: (address: string) => `Profile ${address}`,
  you: 'This is you',
  says: 'What the chain says about this wallet in this market.',
  copy: 'Copy the address',
  score: 'Score',
  newcomer: 'New here: nothing finished in this market yet.',
  formula: 'How the score is computed',
  formulaSays: 'Computed from the counters of the contracts. Anyone can compute it again:',
  record: 'Record',
  summary: (record: {
    completed: number
    distinctCounterparties: number
    disputesWon: number
    disputesLost: number
    faults: number
  }) => {
    const { completed, distinctCounterparties, disputesWon, disputesLost, faults } = record
    return [
      `Finished ${count(completed, 'task')} with ${count(distinctCounterparties, 'other wallet')}.`,
      describeDisputes(disputesWon, disputesLost),
      faults === 0 ? 'Never walked away or missed a deadline.' : `Walked away or missed a deadline ${times(faults)}.`,
    ].join(' ')
  },
  facts: {
    completedAsPoster: 'Finished as poster',
    completedAsWorker: 'Finished as worker',
    distinctCounterparties: 'Different counterparties',
    disputesWon: 'Disputes won',
    disputesLost: 'Disputes lost',
    leaves: 'Tasks left',
    dismissals: 'Workers removed',
    lapses: 'Deadlines missed',
  },
  earned: 'Earned',
  paid: 'Paid to workers',
  openPostings: 'Open tasks',
  noOpen: 'No open task right now.',
  recent: 'Recent tasks',
  noRecent: 'No task in this market yet.',
  asPoster: 'As poster',
  asWorker: 'As worker',
  leaderboard: {
    title: 'Leaderboard',
    says: 'The wallets with the best record in this market.',
    rank: 'Rank',
    wallet: 'Wallet',
    score: 'Score',
    finished: 'Finished',
    earned: 'Earned',
    paid: 'Paid',
    disputes: 'Disputes won',
    disputesValue: (won: number, all: number) => (all === 0 ? '–' : `${won} of ${all}`),
    empty: 'Nobody has finished a task in this market yet. Be the first.',
    explore: 'Explore tasks',
    yourRank: (rank: number) => `You are number ${rank}.`,
  },
} as const

const count = (number: number, noun: string) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
const times = (number: number) => (number === 1 ? 'once' : `${number} times`)
function describeDisputes(won: number, lost: number): string {
  if (won + lost === 0) return 'No dispute so far.'
  if (lost === 0) return `Won ${count(won, 'dispute')}.`
  return won === 0 ? `Lost ${count(lost, 'dispute')}.` : `Won ${count(won, 'dispute')}, lost ${lost}.`
}
