import type { Address, ContractEventName, GetEventArgs, Hex } from 'viem'
import {
  arbitrationAbi,
  depositVaultAbi,
  escrowVaultAbi,
  paymentGatewayAbi,
  reputationRegistryAbi,
  stakingVaultAbi,
  taskRegistryAbi,
  taskScopeRegistryAbi,
} from '../abis/index.ts'

/** The contracts of a market that emit events, by their names in a deployment. */
export const marketAbis = {
  taskRegistry: taskRegistryAbi,
  taskScopeRegistry: taskScopeRegistryAbi,
  escrowVault: escrowVaultAbi,
  depositVault: depositVaultAbi,
  paymentGateway: paymentGatewayAbi,
  stakingVault: stakingVaultAbi,
  arbitration: arbitrationAbi,
  reputationRegistry: reputationRegistryAbi,
} as const

/** A contract of a market, by its name in a deployment. */
export type ContractName = keyof typeof marketAbis

type Abis = typeof marketAbis
type NameIn<contract extends ContractName> = ContractEventName<Abis[contract]>

/** Where a log stands. Events are in the order of (block number, log index). */
export interface LogPlace {
  block: {
    number: number
    /** Unix seconds. */
    timestamp: number
  }
  logIndex: number
  transactionHash?: Hex
}

/**
 * What an event changes but does not say: taken from the entities as they stood before it, by `completeEvent`. Kept with
 * the event, it lets every entity be rebuilt from its own events alone.
 */
export interface EventFacts {
  /** The parties of the event's task. */
  poster?: Address
  worker?: Address
  /** The two had never settled money with each other. */
  firstPayment?: boolean
  /** Members of the panel that had not voted. */
  waiting?: readonly Address[]
}

interface EventIn<contract extends ContractName, name extends NameIn<contract>> extends LogPlace {
  /** Emitter and name: the same name, even the same topic, means something else in another contract. */
  kind: `${contract}.${name}`
  contract: contract
  name: name
  args: GetEventArgs<Abis[contract], name, { EnableUnion: false; IndexedOnly: false; Required: true }>
  facts?: EventFacts
}

type EventBy<contract extends ContractName, name> = name extends NameIn<contract> ? EventIn<contract, name> : never

/** The kind of an event: `<contract>.<name>`. */
export type EventKind = { [contract in ContractName]: `${contract}.${NameIn<contract>}` }[ContractName]

/** Every event of a market by its kind. */
export type MarketEvents = {
  [kind in EventKind]: kind extends `${infer contract extends ContractName}.${infer name}`
    ? EventBy<contract, name>
    : never
}

/** A decoded log of one of a market's contracts. */
export type MarketEvent = MarketEvents[EventKind]

/** Orders events: below zero when `a` is the earlier. Never by time, which blocks may share. */
export function compareEvents(a: LogPlace, b: LogPlace): number {
  return a.block.number - b.block.number || a.logIndex - b.logIndex
}
