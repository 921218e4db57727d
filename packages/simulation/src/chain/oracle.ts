import { type Market, type MilestoneState, marketParams, markets, terminalStates } from '@svc/protocol'
import { bps } from '@svc/protocol/internal/money'
import type { ReserveRecord, TaskSnapshot, UnionRecord } from '@svc/protocol/internal/records'
import type { AgentRecord, ArbitratorRecord, DisputeRecord, TaskRecord } from '@svc/protocol/records'
import type { Address, Hex } from 'viem'
import {
  type AgentEntry,
  type ArbitratorEntry,
  createAgentEntry,
  createArbitratorEntry,
  createMarketEntry,
  type MarketEntry,
  type TaskEntry,
} from './suite/state.ts'
import type { Suite } from './suite/suite.ts'
import { computeClaimCutoff } from './times.ts'

/** The true state of a market at a block. */
interface MarketTruth {
  tasks: readonly TaskSnapshot[]
  disputes: readonly DisputeRecord[]
  /** Every wallet with any history, by address. */
  agents: readonly AgentRecord[]
  /** In order of registration. */
  arbitrators: readonly ArbitratorRecord[]
  union: UnionRecord
  paused: boolean
  /** What tasks hold of their parties, without what is nothing; the poster's first. */
  reserves: readonly ReserveRecord[]
  /** Wallets that have settled money with each other. */
  pairs: readonly { lower: Address; higher: Address }[]
}

/** Answers what is true at a block. It comes from the calls and their effects, never from logs. */
export interface Oracle {
  taskAt: (block: number, market: Market, number: bigint) => TaskSnapshot | null
  disputeAt: (block: number, market: Market, number: bigint) => DisputeRecord | null
  agentAt: (block: number, market: Market, wallet: Address) => AgentRecord
  arbitratorAt: (block: number, market: Market, wallet: Address) => ArbitratorRecord
  unionAt: (block: number, market: Market) => UnionRecord
  taskCountAt: (block: number, market: Market) => bigint
  /** What a task holds of a wallet besides the escrow. */
  reserveAt: (block: number, market: Market, number: bigint, agent: Address) => ReserveRecord
  /** Until when a wallet's plan is paid, unix seconds; zero: never bought. */
  paidUntilAt: (block: number, market: Market, wallet: Address, planId: Hex) => number
  isNonceUsedAt: (block: number, market: Market, wallet: Address, nonce: bigint) => boolean
  /** What views show and no record has. */
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

/** Creates the oracle of a suite. `findBlock` returns the time of a block and the tick at its end. */
export function createOracle(
  { states, digests }: Suite,
  findBlock: (block: number) => { tick: number; timestamp: number },
): Oracle {
  const tickOf = (block: number) => findBlock(block).tick
  const entriesAt = (block: number, market: Market): Entries => {
    const tick = tickOf(block)
    const { tasks, agents, arbitrators, own } = states[market]
    return {
      own: own.at('own', tick) ?? createMarketEntry(),
      task: (number) => tasks.at(number, tick),
      agent: (wallet) => agents.at(wallet, tick) ?? createAgentEntry(),
      arbitrator: (wallet) => arbitrators.at(wallet, tick) ?? createArbitratorEntry(),
    }
  }

  const oracle: Oracle = {
    entriesAt,
    taskAt(block, market, number) {
      const task = states[market].tasks.at(number, tickOf(block))
      if (!task) return null
      const claimableUntil = computeClaimEnd(task, market, entriesAt(block, market).own, findBlock(block).timestamp)
      const record = buildTaskRecord(task, digests[market].settlement(task.termsHash, task.worker))
      return { ...record, claimableUntil, allowedWorker: task.state === 'POSTED' ? task.allowedWorker : null }
    },
    disputeAt(block, market, number) {
      const dispute = states[market].disputes.at(number, tickOf(block))
      return dispute ? { number, ...dispute } : null
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
      const found = listReserves(entriesAt(block, market).task(number)).find((each) => each.agent === agent)
      return found ?? { task: number, agent, amount: 0n, exitDeposit: 0n }
    },
    paidUntilAt: (block, market, wallet, planId) =>
      states[market].plans.at(`${wallet} ${planId}`, tickOf(block))?.until ?? 0,
    isNonceUsedAt: (block, market, wallet, nonce) =>
      states[market].nonces.at(`${wallet} ${nonce}`, tickOf(block)) !== undefined,
    marketAt: (block, market) => readMarketTruth(block, market),
    allAt: (block) =>
      Object.fromEntries(markets.map((market) => [market, readMarketTruth(block, market)])) as Record<
        Market,
        MarketTruth
      >,
  }

  const readMarketTruth = (block: number, market: Market): MarketTruth => {
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
      reserves: numbers.flatMap((number) => listReserves(states[market].tasks.at(number, tick))),
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

function listReserves(task: Readonly<TaskEntry> | undefined): ReserveRecord[] {
  if (!task) return []
  const { number, poster, worker } = task
  const ofPoster = { task: number, agent: poster, amount: task.posterReserve, exitDeposit: task.posterExitDeposit }
  const ofWorker = worker && {
    task: number,
    agent: worker,
    amount: task.workerReserve,
    exitDeposit: task.workerExitDeposit,
  }
  return [ofPoster, ...(ofWorker ? [ofWorker] : [])].filter(({ amount, exitDeposit }) => amount + exitDeposit > 0n)
}

/** The last second at which a task can be claimed, or zero: what the contract checks, written again without the lifecycle table. */
function computeClaimEnd(task: Readonly<TaskEntry>, market: Market, own: Entries['own'], now: number): number {
  const end = computeClaimCutoff(task.claimDeadline, marketParams[market].claimCutoff)
  return task.state !== 'POSTED' || own.paused || now > end ? 0 : end
}

function buildTaskRecord(task: Readonly<TaskEntry>, settlementDigest: Hex): TaskRecord {
  const {
    amounts,
    durations,
    posterReserve: _p,
    workerReserve: _w,
    posterExitDeposit: _pe,
    workerExitDeposit: _we,
    allowedWorker: _allowed,
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
      state: computeMilestoneState(task, index),
    })),
  }
}

/** Milestones settle in order; the end of a task settles the rest in the same way. */
function computeMilestoneState(task: Readonly<TaskEntry>, index: number): MilestoneState {
  if (index < task.current) return 'PAID'
  if (!(terminalStates as readonly string[]).includes(task.state)) {
    return index === task.current && task.reviewEnd !== 0 ? 'DELIVERED' : 'OPEN'
  }
  if (task.workerBps === 0 || (task.ruled && index !== task.current)) return 'REFUNDED'
  return task.workerBps === Number(bps) ? 'PAID' : 'SPLIT'
}
