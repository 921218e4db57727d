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
  return {
    address,
    bond: 0n,
    locked: 0n,
    unbondAt: 0,
    openCases: 0,
    resolved: 0,
    timedOut: 0,
    overturned: 0,
    slashed: 0n,
  }
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
  'arbitration.JudgeSeated': (arbitrator, { args }) =>
    args.judge === arbitrator.address
      ? { ...arbitrator, locked: arbitrator.locked + args.locked, openCases: arbitrator.openCases + 1 }
      : arbitrator,
  'arbitration.JudgeFreed': (arbitrator, { args }) =>
    args.judge === arbitrator.address
      ? { ...arbitrator, locked: arbitrator.locked - args.locked, openCases: arbitrator.openCases - 1 }
      : arbitrator,
  'arbitration.Ruled': (arbitrator, { args }) =>
    args.judge === arbitrator.address ? { ...arbitrator, resolved: arbitrator.resolved + 1 } : arbitrator,
  'arbitration.ArbitratorSlashed': (arbitrator, event) => {
    const { args } = event
    if (args.arbitrator !== arbitrator.address) return arbitrator
    const slashed = { ...arbitrator, bond: args.bond, slashed: arbitrator.slashed + args.amount }
    return requireFact(event, 'silent')
      ? { ...slashed, timedOut: arbitrator.timedOut + 1 }
      : { ...slashed, overturned: arbitrator.overturned + 1 }
  },
}
