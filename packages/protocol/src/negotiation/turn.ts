import { getAddress } from 'viem'
import type { SignedMessage } from './envelope.ts'
import { findRole } from './fold.ts'
import type { Negotiation, Party } from './state.ts'

/**
 * Says which party should act next in a negotiation; null if it is over, or if both can.
 *
 * @example
 * ```ts
 * getNegotiationTurn(negotiation, messages) // 'worker'
 * ```
 */
export function getNegotiationTurn(state: Negotiation, messages: readonly SignedMessage[]): Party | null {
  const { phase, acceptances, cancels } = state
  const offered = (['poster', 'worker'] as const).filter((party) => cancels[party])
  switch (phase) {
    case 'OFFERED':
      return findOther(findOfferer(state, messages))
    case 'HALF_ACCEPTED':
      return acceptances.poster ? 'worker' : 'poster'
    case 'AGREED':
      return offered.length === 1 ? findOther(offered[0]) : 'worker'
    case 'DELIVERED':
      return offered.length === 1 ? findOther(offered[0]) : 'poster'
    default:
      return null
  }
}

const offers: ReadonlySet<string> = new Set([
  'TaskProposal',
  'TaskCounterOffer',
  'MilestoneDefinition',
  'ArbitratorProposal',
])

/** The party that made the current offer. */
function findOfferer(state: Negotiation, messages: readonly SignedMessage[]): Party | undefined {
  const last = messages.findLast(({ envelope }) => offers.has(envelope.type))
  return last && findRole(state, getAddress(last.envelope.sender.evmAddress)).party
}

const findOther = (party: Party | undefined): Party | null =>
  party === undefined ? null : party === 'poster' ? 'worker' : 'poster'
