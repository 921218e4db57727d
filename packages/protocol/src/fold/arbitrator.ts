import type { Address } from 'viem'
import type { ArbitratorRecord } from '../records/agent.ts'
import type { MarketEvent } from './event.ts'
import { type EventHandlers, handleEvent, requireFact } from './eventHandlers.ts'

/**
 * Creates the record of an arbitrator before the first bond.
 *
 * @example
 * ```ts
 * createArbitratorRecord(address).bond // 0n
 * ```
 */
export function createArbitratorRecord(address: Address): ArbitratorRecord {
  return { address, bond: 0n, openCases: 0, resolved: 0, timedOut: 0, slashed: 0n, unbondAt: 0 }
}

/**
 * Applies an event to an arbitrator. Events of others leave it unchanged. Throws {@link IncompleteEventError} for an event that
 * did not go through `completeEvent`.
 *
 * @example
 * ```ts
 * const after = applyArbitrator(arbitrator, completeEvent(event, read))
 * ```
 */
export function applyArbitrator(arbitrator: ArbitratorRecord, event: MarketEvent): ArbitratorRecord {
  return handleEvent(arbitratorHandlers, arbitrator, event)
}

/** The handlers of an arbitrator's events. */
export const arbitratorHandlers: EventHandlers<ArbitratorRecord> = {
  'arbitration.ArbitratorRegistered': (arbitrator, { args }) =>
    args.arbitrator === arbitrator.address ? { ...arbitrator, bond: args.bond, unbondAt: 0 } : arbitrator,
  'arbitration.UnbondRequested': (arbitrator, { args }) =>
    args.arbitrator === arbitrator.address ? { ...arbitrator, unbondAt: Number(args.unbondAt) } : arbitrator,
  'arbitration.Unbonded': (arbitrator, { args }) =>
    args.arbitrator === arbitrator.address ? { ...arbitrator, bond: 0n, unbondAt: 0 } : arbitrator,
  'arbitration.PanelSeated': (arbitrator, { args }) =>
    args.panel.includes(arbitrator.address) ? { ...arbitrator, openCases: arbitrator.openCases + 1 } : arbitrator,
  'arbitration.VoteCast': (arbitrator, { args }) =>
    args.arbitrator === arbitrator.address
      ? { ...arbitrator, openCases: arbitrator.openCases - 1, resolved: arbitrator.resolved + 1 }
      : arbitrator,
  'arbitration.ArbitratorSlashed': (arbitrator, { args }) =>
    args.arbitrator === arbitrator.address
      ? {
          ...arbitrator,
          bond: args.bond,
          slashed: arbitrator.slashed + args.amount,
          timedOut: arbitrator.timedOut + 1,
          openCases: arbitrator.openCases - 1,
        }
      : arbitrator,
  'arbitration.CaseWithdrawn': (arbitrator, event) =>
    requireFact(event, 'waiting').includes(arbitrator.address)
      ? { ...arbitrator, openCases: arbitrator.openCases - 1 }
      : arbitrator,
}
