import { bps, type Market, type MilestoneState, markets, terminalStates } from '@svc/protocol'
import type { AgentRecord, ArbitratorRecord, DisputeRecord, TaskRecord, UnionRecord } from '@svc/protocol/records'
import type { Address, Hex } from 'viem'
import {
  type AgentEntry,
  type ArbitratorEntry,
  type MarketEntry,
  newAgent,
  newArbitrator,
  newMarket,
  type TaskEntry,
} from './suite/state.ts'
import type { Suite } from './suite/suite.ts'

/** One market as it truly is at a block. */
interface MarketTruth {
  tasks: readonly TaskRecord[]
  disputes: readonly DisputeRecord[]
  /** Every wallet that anything ever happened to, by address. */
  agents: readonly AgentRecord[]
  /** In order of registration. */
  arbitrators: readonly ArbitratorRecord[]
  union: UnionRecord
  paused: boolean
  /** Those that are not zero, by task, the poster's first. */
  reserves: readonly Reserve[]
  /** Wallets that have settled money with each other. */
  pairs: readonly { lower: Address; higher: Address }[]
}

/** What a task reserves of a party's deposit. */
interface Reserve {
  task: bigint
  agent: Address
  amount: bigint
}

/** What is true at a block. It knows calls and their effects; it never looks at a log. */
export interface Oracle {
  taskAt: (block: number, market: Market, number: bigint) => TaskRecord | null
  disputeAt: (block: number, market: Market, number: bigint) => DisputeRecord | null
  agentAt: (block: number, market: Market, wallet: Address) => AgentRecord
  arbitratorAt: (block: number, market: Market, wallet: Address) => ArbitratorRecord
  unionAt: (block: number, market: Market) => UnionRecord
  taskCountAt: (block: number, market: Market) => bigint
  /** What a party has reserved for a task. */
  reserveAt: (block: number, market: Market, number: bigint, agent: Address) => bigint
  /** Until when a wallet's plan is paid, unix seconds; zero: never bought. */
  paidUntilAt: (block: number, market: Market, wallet: Address, planId: Hex) => number
  isNonceUsedAt: (block: number, market: Market, wallet: Address, nonce: bigint) => boolean
  /** What no record has but views show. */
  entriesAt: (block: number, market: Market) => Entries
  marketAt: (block: number, market: Market) => MarketTruth
  allAt: (block: number) => Record<Market, MarketTruth>
}

/** The raw values behind the records. */
interface Entries {
  own: Readonly<MarketEntry>
  task: (number: bigint) => Readonly<TaskEntry> | undefined
  agent: (wallet: Address) => Readonly<AgentEntry>
  arbitrator: (wallet: Address) => Readonly<ArbitratorEntry>
}

/** The truth of a suite; `tickOf` says with which tick a block ended. */
export function createOracle({ states, digests }: Suite, tickOf: (block: number) => number): Oracle {
  const entriesAt = (block: number, market: Market): Entries => {
    const tick = tickOf(block)
    const { tasks, agents, arbitrators, own } = states[market]
    return {
      own: own.at('own', tick) ?? newMarket(),
      task: (number) => tasks.at(number, tick),
      agent: (wallet) => agents.at(wallet, tick) ?? newAgent(),
      arbitrator: (wallet) => arbitrators.at(wallet, tick) ?? newArbitrator(),
    }
  }

  const oracle: Oracle = {
    entriesAt,
    taskAt(block, market, number) {
      const task = states[market].tasks.at(number, tickOf(block))
      return task ? taskRecordOf(task, digests[market].settlement(task.termsHash, task.worker)) : null
    },
    disputeAt(block, market, number) {
      const dispute = states[market].disputes.at(number, tickOf(block))
      if (!dispute) return null
      const { sat: _sat, drawn: _drawn, ...record } = dispute
      return { number, ...record }
    },
    agentAt(block, market, wallet) {
      const entry = entriesAt(block, market).agent(wallet)
      const { credits: _credits, rewards: _rewards, creditsPerStake: _c, rewardsPerStake: _r, ...record } = entry
      return { address: wallet, ...record }
    },
    arbitratorAt: (block, market, wallet) => ({ address: wallet, ...entriesAt(block, market).arbitrator(wallet) }),
    unionAt(block, market) {
      const { own } = entriesAt(block, market)
      const { stakingActive, totalStaked, creditsPerStake, rewardsPerStake } = own
      const { totalCreditsIssued, rewardReserve, accruedAt } = own
      return {
        stakingActive,
        totalStaked,
        creditsPerStake,
        rewardsPerStake,
        totalCreditsIssued,
        rewardReserve,
        accruedAt,
      }
    },
    taskCountAt: (block, market) => entriesAt(block, market).own.taskCount,
    reserveAt(block, market, number, agent) {
      const task = entriesAt(block, market).task(number)
      if (task?.poster === agent) return task.posterReserve
      return task?.worker === agent ? task.workerReserve : 0n
    },
    paidUntilAt: (block, market, wallet, planId) =>
      states[market].plans.at(`${wallet} ${planId}`, tickOf(block))?.until ?? 0,
    isNonceUsedAt: (block, market, wallet, nonce) =>
      states[market].nonces.at(`${wallet} ${nonce}`, tickOf(block)) !== undefined,
    marketAt: (block, market) => truthOf(block, market),
    allAt: (block) =>
      Object.fromEntries(markets.map((market) => [market, truthOf(block, market)])) as Record<Market, MarketTruth>,
  }

  const truthOf = (block: number, market: Market): MarketTruth => {
    const { own } = entriesAt(block, market)
    const tick = tickOf(block)
    const numbers = Array.from({ length: Number(own.taskCount) }, (_, index) => BigInt(index + 1))
    const wallets = [...states[market].agents.keys()].filter((wallet) => states[market].agents.at(wallet, tick))
    return {
      tasks: numbers.map((number) => oracle.taskAt(block, market, number)).filter((task) => task !== null),
      disputes: numbers.map((number) => oracle.disputeAt(block, market, number)).filter((each) => each !== null),
      agents: wallets.sort().map((wallet) => oracle.agentAt(block, market, wallet)),
      arbitrators: own.roster.map((wallet) => oracle.arbitratorAt(block, market, wallet)),
      union: oracle.unionAt(block, market),
      paused: own.paused,
      reserves: numbers.flatMap((number) => reservesOf(states[market].tasks.at(number, tick))),
      pairs: [...states[market].pairs.keys()]
        .filter((key) => states[market].pairs.at(key, tick))
        .sort()
        .map((key) => {
          const [lower, higher] = key.split(' ') as [Address, Address]
          return { lower, higher }
        }),
    }
  }
  return oracle
}

function reservesOf(task: Readonly<TaskEntry> | undefined): Reserve[] {
  if (!task) return []
  const { number, poster, worker, posterReserve, workerReserve } = task
  return [
    ...(posterReserve > 0n ? [{ task: number, agent: poster, amount: posterReserve }] : []),
    ...(worker && workerReserve > 0n ? [{ task: number, agent: worker, amount: workerReserve }] : []),
  ]
}

function taskRecordOf(task: Readonly<TaskEntry>, settlementDigest: Hex): TaskRecord {
  const {
    amounts,
    durations,
    posterReserve: _p,
    workerReserve: _w,
    terms: _terms,
    text: _text,
    termsHash: _hash,
    ...rest
  } = task
  return {
    ...rest,
    settlementDigest,
    milestones: amounts.map((amount, index) => ({
      amount,
      duration: durations[index] ?? 0,
      state: milestoneStateOf(task, index),
    })),
  }
}

/** Milestones settle in order, and an ending settles the rest in one way. */
function milestoneStateOf(task: Readonly<TaskEntry>, index: number): MilestoneState {
  if (index < task.current) return 'PAID'
  if (!(terminalStates as readonly string[]).includes(task.state)) {
    return index === task.current && task.reviewEnd !== 0 ? 'DELIVERED' : 'OPEN'
  }
  if (task.workerBps === 0 || (task.ruled && index !== task.current)) return 'REFUNDED'
  return task.workerBps === Number(bps) ? 'PAID' : 'SPLIT'
}
