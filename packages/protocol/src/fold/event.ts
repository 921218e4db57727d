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

/** The ABIs of the contracts of a market that emit events, by their names in a deployment. */
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

/** The position of a log. Events are ordered by block number and log index. */
export interface LogPosition {
  block: {
    number: number
    /** Unix seconds. */
    timestamp: number
  }
  logIndex: number
  transactionHash?: Hex
}

/**
 * Facts that an event needs but does not contain. `completeEvent` takes them from the entities before the event. Stored with
 * the event, they let every entity be rebuilt from its own events.
 */
export interface EventFacts {
  /** The parties of the task that is disputed. */
  poster?: Address
  worker?: Address
  /** The arbitrator of its terms: `named` if both parties signed them, `proposed` in any case; absent if they name none. */
  named?: Address
  proposed?: Address
  /** The amount of its current milestone: TOK wei as a decimal string, because facts are stored as JSON. */
  amount?: string
  /** Whether this is the first completed task between the two wallets. */
  firstCompletion?: boolean
  /** Whether a judge lost a part of its bond for not ruling in time, and not for a ruling that was overturned. */
  silent?: boolean
}

interface EventIn<contract extends ContractName, name extends NameIn<contract>> extends LogPosition {
  /** Contract and event name. The same name, even the same topic, has another meaning in another contract. */
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

/**
 * Compares two events by block and log index: negative if `a` is earlier. Never by timestamp, which blocks can share.
 *
 * @example
 * ```ts
 * events.sort(compareEvents)
 * ```
 */
export function compareEvents(a: LogPosition, b: LogPosition): number {
  return a.block.number - b.block.number || a.logIndex - b.logIndex
}
