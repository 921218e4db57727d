import {
  type BlockRef,
  getUnion,
  type MarketContracts,
  type Provider,
  readAgents,
  readArbitrators,
  readDisputes,
  readTasks,
} from '@svc/chain'
import { ledgersOfTasks, publicTask, type Row, type RowKey, unionOverviewOf } from '@svc/index'
import { type Market, settlementDigest } from '@svc/protocol'
import {
  type Entities,
  type EntityKind,
  type FoldedTask,
  newAgent,
  newArbitrator,
  newUnion,
  termsOf,
} from '@svc/protocol/fold'
import { emptyLedger } from '@svc/protocol/records'
import type { TransactionSql } from 'postgres'
import { type Address, zeroAddress } from 'viem'

/** The market that is compared, and what its tasks' signatures are bound to. */
export interface Compared {
  market: Market
  contracts: MarketContracts
  chainId: number
  /** The token that tasks are paid in. */
  asset: Address
}

/** Contract storage as one provider tells it, at the block of the index. */
interface Storage extends Compared {
  provider: Provider
  block: BlockRef
}

/** Records by the keys of their rows; null: the contracts have none. What is missing was not read, and is not compared. */
type Records = ReadonlyMap<string, object | null>

/** How rows of a kind are compared. */
export interface RowKind {
  /** Stands for a row that the index does not have; null: nothing does. */
  absent: (key: string) => Row | null
  /** What is compared of a row, at a block. A row that it cannot read is none that anybody has written. */
  shown: (row: Row, at: Compared & { block: BlockRef }) => object
  /** The row that is always compared beside it. */
  beside?: (key: string) => RowKey
  /** What contracts store, at a block. */
  stored?: (keys: readonly string[], storage: Storage) => Promise<Records>
  /** What no contract stores: what other rows of the index make it, which are compared themselves. */
  derived?: (keys: readonly string[], snapshot: TransactionSql, market: number) => Promise<Records>
}

/** Every kind of row that answers are made of. */
export const rowKinds: Readonly<Record<Exclude<EntityKind | 'ledger', keyof typeof notCompared>, RowKind>> = {
  task: {
    absent: () => null,
    // The terms are not stored, their digest is: what the index keeps of them must give it.
    shown: (row, { market, contracts: { taskRegistry }, chainId, asset }) => {
      const task = row as FoldedTask
      const context = { chainId, market, taskRegistry, asset }
      return { ...publicTask(task), terms: settlementDigest(context, termsOf(task), task.worker ?? zeroAddress) }
    },
    beside: (number) => `dispute:${BigInt(number)}`,
    stored: async (keys, { provider, contracts, block }) => {
      const tasks = await readTasks(provider, contracts, keys.map(BigInt), block)
      return byNumber(
        keys,
        tasks.map((task) => ({ ...task, terms: task.settlementDigest })),
      )
    },
  },
  dispute: {
    absent: () => null,
    shown: (row) => row,
    stored: async (keys, { provider, contracts, block }) =>
      byNumber(keys, await readDisputes(provider, contracts, keys.map(BigInt), block)),
  },
  agent: {
    absent: (wallet) => newAgent(wallet as Address),
    shown: (row) => row,
    beside: (wallet) => `ledger:${wallet}`,
    stored: async (keys, { provider, contracts, block }) =>
      byAddress(await readAgents(provider, contracts, keys as Address[], block)),
  },
  arbitrator: {
    absent: (wallet) => newArbitrator(wallet as Address),
    shown: (row) => row,
    stored: async (keys, { provider, contracts, block }) =>
      byAddress(await readArbitrators(provider, contracts, keys as Address[], block)),
  },
  union: {
    absent: newUnion,
    // As answers show it: what it grew since its last accrual is reckoned, not stored.
    shown: (row, { block }) => unionOverviewOf(row as Entities['union'], block.timestamp),
    stored: async ([key = ''], { provider, contracts, block }) =>
      new Map([[key, (await getUnion(provider, contracts, block)).union]]),
  },
  ledger: {
    absent: emptyLedger,
    shown: (row) => row,
    derived: (keys, snapshot, market) => ledgersOfTasks(snapshot, market, keys),
  },
}

/** Kinds of rows that no answer shows, and what finds a wrong one. */
export const notCompared = {
  reserve: 'What it comes to is in the agent: deposit and reserved.',
  pair: 'What it comes to is in the agent: distinctCounterparties.',
} as const

const byNumber = (keys: readonly string[], found: readonly { number: bigint }[]): Records => {
  const records = new Map(found.map((each) => [String(each.number), each]))
  return new Map(keys.map((key) => [key, records.get(key) ?? null]))
}

const byAddress = (found: readonly { address: string }[]): Records => new Map(found.map((each) => [each.address, each]))
