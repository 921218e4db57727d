import {
  type BlockRef,
  getEntries,
  getUnion,
  type MarketContracts,
  type Provider,
  readAgents,
  readArbitrators,
  readDisputes,
  readTaskExtras,
  readTasks,
} from '@svc/chain'
import { computeUnionOverview, deriveLedgers, type Row, type RowKey, toPublicTask } from '@svc/index'
import { computeSettlementDigest, type Market } from '@svc/protocol'
import {
  createAgentRecord,
  createArbitratorRecord,
  createEntriesRecord,
  createUnionRecord,
  type Entities,
  type EntityKind,
  extractTaskTerms,
  type FoldedTask,
} from '@svc/protocol/internal/fold'
import { createLedger } from '@svc/protocol/internal/money'
import type { TransactionSql } from 'postgres'
import { type Address, zeroAddress } from 'viem'

/** The market to compare, and what signatures of its tasks are bound to. */
export interface ComparedMarket {
  market: Market
  contracts: MarketContracts
  chainId: number
  /** The token that tasks are paid with. */
  asset: Address
}

/** Contract storage of one provider at the block of the index. */
interface Storage extends ComparedMarket {
  provider: Provider
  block: BlockRef
}

/** Records by row key; null if the contracts have none. A missing key was not read and is not compared. */
type Records = ReadonlyMap<string, object | null>

/** How to compare rows of a kind. */
export interface RowKind {
  /** Returns the default for a row that the index does not have; null if there is none. */
  absent: (key: string) => Row | null
  /** Returns what is compared of a row at a block. Throws for a row that the indexer cannot have written. */
  toComparable: (row: Row, at: ComparedMarket & { block: BlockRef }) => object
  /** Returns the row that is always compared together with this one. */
  companion?: (key: string) => RowKey
  /** Reads what contracts store at a block. */
  stored?: (keys: readonly string[], storage: Storage) => Promise<Records>
  /** Computes rows that no contract stores from other rows of the index, which are compared themselves. */
  derived?: (keys: readonly string[], snapshot: TransactionSql, market: number) => Promise<Records>
}

/** Every kind of row that responses use. */
export const rowKinds: Readonly<Record<Exclude<EntityKind | 'ledger', keyof typeof notCompared>, RowKind>> = {
  task: {
    absent: () => null,
    // Contracts store the digest of the terms, so the terms in the index are compared by computing it.
    toComparable: (row, { market, contracts: { taskRegistry }, chainId, asset }) => {
      const task = row as FoldedTask
      const context = { chainId, market, taskRegistry, asset }
      return {
        ...toPublicTask(task),
        posterReserve: task.posterReserve,
        allowedWorker: task.allowedWorker,
        terms: computeSettlementDigest(context, extractTaskTerms(task), task.worker ?? zeroAddress),
      }
    },
    companion: (number) => `dispute:${BigInt(number)}`,
    stored: async (keys, { provider, contracts, block }) => {
      const found = await readTasks(provider, contracts, keys.map(BigInt), block)
      const tasks = await readTaskExtras(provider, contracts, found, block)
      return byNumber(
        keys,
        tasks.map((task) => ({ ...task, terms: task.settlementDigest })),
      )
    },
  },
  dispute: {
    absent: () => null,
    toComparable: (row) => row,
    stored: async (keys, { provider, contracts, block }) =>
      byNumber(keys, await readDisputes(provider, contracts, keys.map(BigInt), block)),
  },
  agent: {
    absent: (wallet) => createAgentRecord(wallet as Address),
    toComparable: (row) => row,
    companion: (wallet) => `ledger:${wallet}`,
    stored: async (keys, { provider, contracts, block }) =>
      byAddress(await readAgents(provider, contracts, keys as Address[], block)),
  },
  arbitrator: {
    absent: (wallet) => createArbitratorRecord(wallet as Address),
    toComparable: (row) => row,
    stored: async (keys, { provider, contracts, block }) =>
      byAddress(await readArbitrators(provider, contracts, keys as Address[], block)),
  },
  union: {
    absent: createUnionRecord,
    // As responses show it: growth since the last accrual is computed, not stored.
    toComparable: (row, { block }) => computeUnionOverview(row as Entities['union'], block.timestamp),
    stored: async ([key = ''], { provider, contracts, block }) =>
      new Map([[key, (await getUnion(provider, contracts, block)).union]]),
  },
  entries: {
    absent: createEntriesRecord,
    toComparable: (row) => row,
    stored: async ([key = ''], { provider, contracts, block }) =>
      new Map([[key, (await getEntries(provider, contracts, block)).entries]]),
  },
  ledger: {
    absent: createLedger,
    toComparable: (row) => row,
    derived: (keys, snapshot, market) => deriveLedgers(snapshot, market, keys),
  },
}

/** Kinds of rows that no response shows, and which comparison detects a wrong one. */
export const notCompared = {
  reserve: 'The sum is in the agent: deposit and reserved.',
  pair: 'The count is in the agent: distinctCounterparties.',
} as const

const byNumber = (keys: readonly string[], found: readonly { number: bigint }[]): Records => {
  const records = new Map(found.map((each) => [String(each.number), each]))
  return new Map(keys.map((key) => [key, records.get(key) ?? null]))
}

const byAddress = (found: readonly { address: string }[]): Records => new Map(found.map((each) => [each.address, each]))
