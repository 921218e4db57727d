import type { Address } from 'viem'
import type { ArbitratorRecord } from '../records/agent.ts'
import { applyCases, type Cases, factOf } from './cases.ts'
import type { MarketEvent } from './event.ts'

/** A wallet that never bonded. */
export function newArbitrator(address: Address): ArbitratorRecord {
  return { address, bond: 0n, openCases: 0, resolved: 0, timedOut: 0, slashed: 0n, unbondAt: 0 }
}

/** The arbitrator after an event. An event of others leaves it as it is. Refuses an event that lacks its facts. */
export function applyArbitrator(arbitrator: ArbitratorRecord, event: MarketEvent): ArbitratorRecord {
  return applyCases(arbitratorCases, arbitrator, event)
}

/** Every event of an arbitrator. */
export const arbitratorCases: Cases<ArbitratorRecord> = {
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
    factOf(event, 'waiting').includes(arbitrator.address)
      ? { ...arbitrator, openCases: arbitrator.openCases - 1 }
      : arbitrator,
}
