import type { MarketEvent } from '@svc/protocol/fold'
import { type Address, isAddressEqual } from 'viem'

/** A figure of the leaderboard: its name, and the events that it counts. */
export interface Figure {
  name: string
  /** Whether an event of the wallet counts. Events come in chain order. */
  counts: (event: MarketEvent, wallet: Address, earlier: readonly MarketEvent[]) => boolean
}

/** The figures of the leaderboard, each with the events that it counts. */
export const figures = {
  completed: {
    name: 'Completed tasks',
    counts: (event) => event.kind === 'reputationRegistry.CompletionRecorded',
  },
  counterparties: {
    name: 'Distinct counterparties',
    counts: (event, wallet, earlier) => {
      const other = otherParty(event, wallet)
      return other !== null && !earlier.some((each) => otherParty(each, wallet) === other)
    },
  },
  earned: {
    name: 'Earned',
    counts: (event, wallet) => event.kind === 'reputationRegistry.PaymentRecorded' && event.args.worker === wallet,
  },
  won: {
    name: 'Disputes won',
    counts: (event, wallet) => event.kind === 'reputationRegistry.DisputeRecorded' && event.args.winner === wallet,
  },
  lost: {
    name: 'Disputes lost',
    counts: (event, wallet) => event.kind === 'reputationRegistry.DisputeRecorded' && event.args.loser === wallet,
  },
  faults: {
    name: 'Leaves, dismissals and lapses',
    counts: ({ kind }) =>
      kind === 'reputationRegistry.LeaveRecorded' ||
      kind === 'reputationRegistry.DismissalRecorded' ||
      kind === 'reputationRegistry.LapseRecorded',
  },
  score: { name: 'Score', counts: ({ contract }) => contract === 'reputationRegistry' },
  bond: {
    name: 'Bond',
    counts: ({ kind }) =>
      kind === 'arbitration.ArbitratorRegistered' ||
      kind === 'arbitration.ArbitratorSlashed' ||
      kind === 'arbitration.Unbonded',
  },
  cases: {
    name: 'Open cases: accepted, and not yet free again',
    counts: ({ kind }) => kind === 'arbitration.JudgeSeated' || kind === 'arbitration.JudgeFreed',
  },
  resolved: { name: 'Rulings given', counts: ({ kind }) => kind === 'arbitration.Ruled' },
  timedOut: { name: 'Slashed: silent or overturned', counts: ({ kind }) => kind === 'arbitration.ArbitratorSlashed' },
} as const satisfies Record<string, Figure>

export type FigureName = keyof typeof figures

/** The counterparty of a completed task; null for other events. */
function otherParty(event: MarketEvent, wallet: Address): Address | null {
  if (event.kind !== 'reputationRegistry.CompletionRecorded') return null
  const { poster, worker } = event.args
  return isAddressEqual(poster, wallet) ? worker : poster
}
