import type { Market, PaidPlan, TaskTerms } from '@svc/protocol'
import type { AgentRecord, ArbitratorRecord, DisputeRecord, Ledger, TaskRecord } from '@svc/protocol/records'
import type { Address, Hex } from 'viem'

/** The block that an answer is true at. */
export interface BlockRef {
  number: bigint
  hash: Hex
  /** Unix seconds. */
  timestamp: number
}

/** An answer and its block. */
export type At<T> = T & { block: BlockRef }

export interface PageQuery {
  /** 1 to 100. */
  limit: number
  /** Where an earlier page ended: tasks below this number follow. */
  before?: bigint | undefined
}

/** Some tasks, newest first. */
export interface TaskPage {
  tasks: readonly TaskRecord[]
  /** Where the next page begins; null when there is none. A page may be short and have a next one all the same. */
  next: bigint | null
}

/** Which tasks of a market a list has. */
export type TaskList = { of: 'open' | 'recent' } | { of: 'poster' | 'worker'; wallet: Address }

/** The same page as text that can be sent on: nobody has to take it apart and put it together again. */
export interface TaskPageText extends Pick<TaskPage, 'next'> {
  /** The tasks as `taskJsonOf` has them, with commas between them. */
  text: string
  /** The marks of the texts (see `taskTextOf`), one after the other: while they stay, so does the text. */
  marks: Uint8Array
}

/** A log that concerns a task. */
export interface TimelineEntry {
  name: string
  contract: string
  blockNumber: bigint
  logIndex: number
  timestamp: number
  transactionHash: Hex
}

/** A place in the order of the chain. */
export interface EventPosition {
  block: bigint
  logIndex: number
}

export interface EventQuery {
  /** 1 to 100. */
  limit: number
  /** Events after this place follow; without it, the newest. */
  after?: EventPosition | undefined
}

/** An event of a market. */
export interface EventEntry extends TimelineEntry {
  /** The task it names; null where it is about none. */
  task: bigint | null
  args: object
  /** The hash of its block; null where an index keeps it no more, since nothing takes that block back. */
  blockHash: Hex | null
}

/** Some events in the order of the chain. */
export interface EventPage {
  events: readonly EventEntry[]
  /** Where to go on, now or later; null when there was nothing yet. A page may be short and have more after it. */
  next: EventPosition | null
}

/** A task with all that is known of it. */
export interface TaskDetail {
  task: TaskRecord
  terms: TaskTerms
  /** Published by open tasks only. */
  text: string | null
  dispute: DisputeRecord | null
  timeline: readonly TimelineEntry[]
}

/** The Union of a market as it stands at the block's time. */
export interface UnionOverview {
  stakingActive: boolean
  totalStaked: bigint
  totalCreditsIssued: bigint
  creditsRemaining: bigint
  creditIssuanceClosed: boolean
  rewardReserve: bigint
}

/** The price of a plan. USD in USDC units, the price of a TOK with 8 decimals, as the oracle has it. */
export interface PlanQuote {
  listPriceUsd: bigint
  payUsd: bigint
  /** Zero when paid in USDC. */
  tokUsdPrice: bigint
  amount: bigint
  tokAllowed: boolean
}

/**
 * The one seam that every app reads a market through. Two implementations, over the chain and over the index, must never
 * disagree about a block. All answers are at one block each; unknown tasks are null, unknown wallets have nothing.
 */
export interface MarketReader {
  head: () => Promise<BlockRef>
  getTask: (market: Market, number: bigint) => Promise<At<{ detail: TaskDetail | null }>>
  /** Tasks in state POSTED. */
  listOpen: (market: Market, query: PageQuery) => Promise<At<TaskPage>>
  /** Tasks in any state. */
  listRecent: (market: Market, query: PageQuery) => Promise<At<TaskPage>>
  listByPoster: (market: Market, poster: Address, query: PageQuery) => Promise<At<TaskPage>>
  /** Tasks whose worker this wallet is. */
  listByWorker: (market: Market, worker: Address, query: PageQuery) => Promise<At<TaskPage>>
  /** Any of the four lists above, written out. */
  listAsText: (market: Market, list: TaskList, query: PageQuery) => Promise<At<TaskPageText>>
  /** The texts that open tasks published; tasks without one are missing. */
  getTexts: (market: Market, numbers: readonly bigint[]) => Promise<At<{ texts: ReadonlyMap<bigint, string> }>>
  listEvents: (market: Market, query: EventQuery) => Promise<At<EventPage>>
  getLedger: (market: Market, wallet: Address) => Promise<At<{ ledger: Ledger }>>
  getUnion: (market: Market) => Promise<At<{ union: UnionOverview }>>
  getAgent: (market: Market, wallet: Address) => Promise<At<{ agent: AgentRecord }>>
  /** Wallets with a reputation, best first by `reputationScore`, then by address. */
  listAgents: (market: Market, limit: number) => Promise<At<{ agents: readonly AgentRecord[] }>>
  /** Arbitrators that are bonded or have been, largest bond first, then by address. */
  listArbitrators: (market: Market, limit: number) => Promise<At<{ arbitrators: readonly ArbitratorRecord[] }>>
  getPlanQuote: (market: Market, plan: PaidPlan, payWith: 'tok' | 'usdc') => Promise<At<{ quote: PlanQuote }>>
}
