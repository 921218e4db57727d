import type { Market, MarketParams, TaskTerms } from '@svc/protocol'
import type { Address, Hex } from 'viem'
import type { SimContract } from '../places.ts'
import { type AgentEntry, createAgentEntry, createMarketEntry, type MarketEntry, type MarketState } from './state.ts'

/** The context of a call: the market's state, the block, the caller and the log. */
export interface Frame {
  market: Market
  params: MarketParams
  state: MarketState
  from: Address
  /** Unix seconds of the block. */
  now: number
  block: number
  tok: Address
  treasury: Address
  finalCourt: Address
  escrowVault: Address
  arbitration: Address
  /** Whether pushing TOK to this wallet fails. */
  unpayable: (wallet: Address) => boolean
  digests: Digests
  emit: (contract: SimContract, event: string, ...args: unknown[]) => void
  /** Counts a log of a token. Tokens are not part of the suite, so the log only takes an index in the block. */
  tokenLog: () => void
}

/** The market's EIP-712 hashes. */
export interface Digests {
  terms: (terms: TaskTerms) => Hex
  settlement: (termsHash: Hex, worker: Address | null) => Hex
}

/** Reads a wallet; one without history has zeros. */
export const readAgent = ({ state }: Frame, wallet: Address): Readonly<AgentEntry> =>
  state.agents.get(wallet) ?? noAgent

/** Reads what the market stores once. */
export const readMarketEntry = ({ state }: Frame): Readonly<MarketEntry> => state.own.get('own') ?? noMarket

const noAgent = Object.freeze(createAgentEntry())
const noMarket = Object.freeze(createMarketEntry())

/** Throws `Refused` with the name of the contract's custom error unless `holds`. */
export function refuseUnless(holds: boolean, error: string): void {
  if (!holds) throw new Refused(error)
}

/** A contract reverted; the message is the name of its error. */
export class Refused extends Error {
  override name = 'Refused'
}
