import type { Market, MarketParams, TaskTerms } from '@svc/protocol'
import type { Address, Hex } from 'viem'
import type { SimContract } from '../places.ts'
import { type AgentEntry, type MarketEntry, type MarketState, newAgent, newMarket } from './state.ts'

/** What a contract function has at hand: the market's state, the block it runs in, its caller, and where logs go. */
export interface Frame {
  market: Market
  params: MarketParams
  state: MarketState
  from: Address
  /** Unix seconds of the block. */
  now: number
  block: number
  /** The hash of an earlier block; null for one that the chain does not remember. */
  hashOf: (block: number) => Hex | null
  tok: Address
  treasury: Address
  escrowVault: Address
  /** Whether pushing TOK to this wallet fails. */
  unpayable: (wallet: Address) => boolean
  digests: Digests
  emit: (contract: SimContract, event: string, ...args: unknown[]) => void
  /** A log of a token, which is no contract of the suite: it only takes a number in the block. */
  tokenLog: () => void
}

/** The market's EIP-712 hashes. */
export interface Digests {
  terms: (terms: TaskTerms) => Hex
  settlement: (termsHash: Hex, worker: Address | null) => Hex
}

/** A wallet as it is now, also one that has nothing. */
export const agentOf = ({ state }: Frame, wallet: Address): Readonly<AgentEntry> => state.agents.get(wallet) ?? noAgent

/** The market's own values as they are now. */
export const ownOf = ({ state }: Frame): Readonly<MarketEntry> => state.own.get('own') ?? noMarket

const noAgent = Object.freeze(newAgent())
const noMarket = Object.freeze(newMarket())

/** The smaller of two; Math.min takes no bigints. */
export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Refuses as a contract does: with the name of its custom error. */
export function check(holds: boolean, error: string): void {
  if (!holds) throw new Refused(error)
}

/** A contract reverted; the message is the name of its error. */
export class Refused extends Error {
  override name = 'Refused'
}
