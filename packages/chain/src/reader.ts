import type { Market, TaskTerms } from '@svc/protocol'
import type { TrackRecord } from '@svc/protocol/internal/fold'
import type { Ledger, PaidPlan } from '@svc/protocol/internal/money'
import type { EntriesRecord, TaskSnapshot } from '@svc/protocol/internal/records'
import type { SearchPosition, SearchQuery } from '@svc/protocol/internal/tasks'
import type { AgentRecord, ArbitratorRecord, DisputeRecord, TaskRecord } from '@svc/protocol/records'
import type { Address, Hex } from 'viem'
import type { TextSummary } from './excerptText.ts'

/** The block that a result was read at. */
export interface BlockRef {
  number: bigint
  hash: Hex
  /** Unix seconds. */
  timestamp: number
}

/** A result and the block it was read at. */
export type At<T> = T & { block: BlockRef }

export interface PageQuery {
  /** 1 to 100. */
  limit: number
  /** The `next` of the previous page: only tasks below this number are returned. */
  before?: bigint | undefined
}

/** A page of tasks, newest first. */
export interface TaskPage {
  tasks: readonly TaskSnapshot[]
  /** Where the next page begins; null if this is the last. A short page can have a next page. */
  next: bigint | null
}

/** The same page with the texts that open tasks published, by task number. */
export interface TextedTaskPage extends TaskPage {
  texts: ReadonlyMap<bigint, string>
}

/** Which tasks of a market to list. */
export type TaskList = { of: 'open' | 'recent' } | { of: 'poster' | 'worker'; wallet: Address }

/** The same page as JSON that its writer serialized, so that it can be sent as it is. */
export interface TaskPageText extends Pick<TaskPage, 'next'> {
  /** The tasks, with commas between them. */
  text: string
  /** The fingerprints of the tasks, concatenated. While they are the same, so is the text. */
  marks: Uint8Array
  /** The last second, in unix seconds, at which the page looks like this if nothing happens; null if time does not change it. */
  validUntil: number | null
}

/** A log that belongs to a task. */
export interface TimelineEntry {
  name: string
  contract: string
  args: object
  blockNumber: bigint
  logIndex: number
  timestamp: number
  transactionHash: Hex
}

/** The position of a log in the order of the chain. */
export interface EventPosition {
  block: bigint
  logIndex: number
}

export interface EventQuery {
  /** 1 to 100. */
  limit: number
  /** Returns events after this position. Default: the newest events. */
  after?: EventPosition | undefined
}

/** An event of a market. */
export interface EventEntry extends TimelineEntry {
  /** The task that the event names; null if it names none. */
  task: bigint | null
  /** The hash of its block; null if the index no longer keeps it, because the block is final. */
  blockHash: Hex | null
}

/** A page of events in the order of the chain. */
export interface EventPage {
  events: readonly EventEntry[]
  /** Where to continue, now or later; null if there are no events yet. A short page can have more events after it. */
  next: EventPosition | null
}

/** A task with its terms, text and dispute. */
export interface TaskSummary {
  task: TaskSnapshot
  terms: TaskTerms
  /** Published by open tasks only. */
  text: string | null
  dispute: DisputeRecord | null
}

/** A task with everything that happened to it. */
export interface TaskDetail extends TaskSummary {
  timeline: readonly TimelineEntry[]
}

/** The most tasks of each role of a wallet that its inbox looks at. */
export const maxInboxTasks = 100

/** The newest tasks of a wallet in each of its roles: posted, worked on, and disputes that it judges or could judge. */
export interface InboxFacts {
  /** Newest first, each once, in any state. */
  tasks: readonly { task: TaskRecord; dispute: DisputeRecord | null; text: string | null }[]
  /** The wallet as an arbitrator; zeros if it never was one. */
  arbitrator: ArbitratorRecord
  /** A role has more tasks than were read. */
  truncated: boolean
}

/** A task that a search found, with what its published text says. */
export interface FoundTask extends TextSummary {
  task: TaskSnapshot
}

/** A page of a search. */
export interface SearchPage {
  found: readonly FoundTask[]
  /** Where the next page starts; null if there is none. */
  next: SearchPosition | null
  /** If nothing is found: similar words that find something. Untrusted text by strangers. */
  suggestion: string | null
}

/** The most tasks of each role that a track record looks at: the newest that a wallet posted, and the newest that it took. */
export const maxRecordTasks = 100

/** What a wallet did in one market. */
export interface WalletTrackRecord {
  /** Its counters over all tasks. */
  agent: AgentRecord
  /** What `computeTrackRecord` finds in the events of its newest tasks. */
  record: TrackRecord
  /** When it first posted or took a task; null if it never did. */
  firstSeen: { task: bigint; timestamp: number } | null
  /** It posted or took more tasks than were looked at. */
  truncated: boolean
}

/** The Union of a market at the block's time. */
export interface UnionOverview {
  stakingActive: boolean
  totalStaked: bigint
  totalCreditsIssued: bigint
  creditsRemaining: bigint
  creditIssuanceClosed: boolean
  rewardReserve: bigint
}

/** The price of a plan. USD amounts in USDC units; the price of TOK with the oracle's 8 decimals. */
export interface PlanQuote {
  listPriceUsd: bigint
  payUsd: bigint
  /** Zero when paid in USDC. */
  tokUsdPrice: bigint
  amount: bigint
  tokAllowed: boolean
}

/** What a TOK is worth, with the oracle's 8 decimals, and when the oracle got that price; or why there is no price to use. */
export type TokPrice =
  | { usd: bigint; updatedAt: number; missing: null }
  | { usd: null; updatedAt: null; missing: 'NO_ORACLE' | 'TOO_OLD' | 'UNAVAILABLE' }

/**
 * The interface that every app reads a market through. It has two implementations, over the chain and over the index, which
 * must return the same for the same block. Each result is read at one block. An unknown task is null; an unknown wallet has zeros.
 */
export interface MarketReader {
  head: () => Promise<BlockRef>
  /** On the chain, the timeline of an old task can be too long to read: use `getTaskSummary` where it is not needed. */
  getTask: (market: Market, number: bigint) => Promise<At<{ detail: TaskDetail | null }>>
  /** The same without the timeline. On the chain it takes a few calls, whatever the age of the task. */
  getTaskSummary: (market: Market, number: bigint) => Promise<At<{ detail: TaskSummary | null }>>
  /** Tasks that can be claimed at the block's time, with a permit where their claim policy says so. */
  listOpen: (market: Market, query: PageQuery) => Promise<At<TaskPage>>
  /** Tasks in any state. */
  listRecent: (market: Market, query: PageQuery) => Promise<At<TaskPage>>
  listByPoster: (market: Market, poster: Address, query: PageQuery) => Promise<At<TaskPage>>
  /** Tasks that this wallet is the worker of. */
  listByWorker: (market: Market, worker: Address, query: PageQuery) => Promise<At<TaskPage>>
  /** Any of the four lists above as text. Only an index stores it. */
  listAsText?: (market: Market, list: TaskList, query: PageQuery) => Promise<At<TaskPageText>>
  /** Any of them, with the texts of its tasks. */
  listWithTexts: (market: Market, list: TaskList, query: PageQuery) => Promise<At<TextedTaskPage>>
  /** Tasks that wait for a worker. Only an index can search. */
  search?: (market: Market, query: SearchQuery) => Promise<At<SearchPage>>
  /** `isCourt`: the wallet is the final court of the market. */
  listInbox: (market: Market, wallet: Address, isCourt: boolean) => Promise<At<InboxFacts>>
  /** The texts that open tasks published. Tasks without a text are not in the map. */
  getTexts: (market: Market, numbers: readonly bigint[]) => Promise<At<{ texts: ReadonlyMap<bigint, string> }>>
  listEvents: (market: Market, query: EventQuery) => Promise<At<EventPage>>
  getLedger: (market: Market, wallet: Address) => Promise<At<{ ledger: Ledger }>>
  /** Throws if the wallet has too many tasks to look at without an index. */
  getTrackRecord: (market: Market, wallet: Address) => Promise<At<WalletTrackRecord>>
  /** Whether the market accepts new tasks and claims. */
  getEntries: (market: Market) => Promise<At<{ entries: EntriesRecord }>>
  getUnion: (market: Market) => Promise<At<{ union: UnionOverview }>>
  getAgent: (market: Market, wallet: Address) => Promise<At<{ agent: AgentRecord }>>
  /** The same for several wallets, in their order. */
  getAgents: (market: Market, wallets: readonly Address[]) => Promise<At<{ agents: readonly AgentRecord[] }>>
  /** Wallets with a reputation, best first by `computeReputationScore`, then by address. */
  listAgents: (market: Market, limit: number) => Promise<At<{ agents: readonly AgentRecord[] }>>
  /** Arbitrators that are bonded or have been, largest bond first, then by address. */
  listArbitrators: (market: Market, limit: number) => Promise<At<{ arbitrators: readonly ArbitratorRecord[] }>>
  getTokPrice: (market: Market) => Promise<At<{ price: TokPrice }>>
  getPlanQuote: (market: Market, plan: PaidPlan, payWith: 'tok' | 'usdc') => Promise<At<{ quote: PlanQuote }>>
}

/** Reads a page of a list of tasks. */
export function listTasks(
  reader: MarketReader,
  market: Market,
  list: TaskList,
  query: PageQuery,
): Promise<At<TaskPage>> {
  switch (list.of) {
    case 'open':
      return reader.listOpen(market, query)
    case 'recent':
      return reader.listRecent(market, query)
    case 'poster':
      return reader.listByPoster(market, list.wallet, query)
    case 'worker':
      return reader.listByWorker(market, list.wallet, query)
  }
}
