import type { Address } from 'viem'
import type { AgentRecord } from '../records/agent.ts'
import type { MarketEvent } from './event.ts'
import { type EventHandlers, handleEvent, requireFact } from './eventHandlers.ts'

/**
 * Creates the record of a wallet before its first event.
 *
 * @example
 * ```ts
 * createAgentRecord(address).deposit // 0n
 * ```
 */
export function createAgentRecord(address: Address): AgentRecord {
  return {
    address,
    deposit: 0n,
    reserved: 0n,
    completedAsPoster: 0,
    completedAsWorker: 0,
    disputesWon: 0,
    disputesLost: 0,
    leaves: 0,
    dismissals: 0,
    lapses: 0,
    distinctCounterparties: 0,
    earned: 0n,
    paid: 0n,
    staked: 0n,
    payouts: 0n,
    awards: 0n,
  }
}

/**
 * Applies an event to a wallet. Events of other wallets leave it unchanged. Throws {@link IncompleteEventError} for an event
 * that did not go through `completeEvent`.
 *
 * @example
 * ```ts
 * const after = applyAgent(agent, completeEvent(event, read))
 * ```
 */
export function applyAgent(agent: AgentRecord, event: MarketEvent): AgentRecord {
  return handleEvent(agentHandlers, agent, event)
}

/** Each handler checks the wallet, because an event can name one wallet in two roles. */
export const agentHandlers: EventHandlers<AgentRecord> = {
  'depositVault.ToppedUp': (agent, { args }) =>
    args.agent === agent.address ? { ...agent, deposit: agent.deposit + args.amount } : agent,
  'depositVault.Withdrawn': (agent, { args }) =>
    args.agent === agent.address ? { ...agent, deposit: agent.deposit - args.amount } : agent,
  'depositVault.Reserved': (agent, { args }) =>
    args.agent === agent.address ? { ...agent, reserved: agent.reserved + args.amount } : agent,
  'depositVault.Unreserved': (agent, { args }) =>
    args.agent === agent.address ? { ...agent, reserved: agent.reserved - args.amount } : agent,
  'depositVault.Penalised': (agent, { args: { agent: payer, to, amount } }) => {
    const paid = payer === agent.address ? amount : 0n
    const received = to === agent.address ? amount : 0n
    return paid || received
      ? { ...agent, reserved: agent.reserved - paid, deposit: agent.deposit - paid + received }
      : agent
  },

  'reputationRegistry.PaymentRecorded': (agent, { args: { poster, worker, amount } }) => {
    if (poster === agent.address) return { ...agent, paid: plus(agent.paid, amount) }
    return worker === agent.address ? { ...agent, earned: plus(agent.earned, amount) } : agent
  },
  'reputationRegistry.CompletionRecorded': (agent, event) => {
    const { poster, worker } = event.args
    if (agent.address !== poster && agent.address !== worker) return agent
    const { completedAsPoster, completedAsWorker, distinctCounterparties: met } = agent
    const distinctCounterparties = requireFact(event, 'firstCompletion') ? next(met) : met
    return agent.address === poster
      ? { ...agent, completedAsPoster: next(completedAsPoster), distinctCounterparties }
      : { ...agent, completedAsWorker: next(completedAsWorker), distinctCounterparties }
  },
  'reputationRegistry.LeaveRecorded': (agent, { args }) =>
    args.worker === agent.address ? { ...agent, leaves: next(agent.leaves) } : agent,
  'reputationRegistry.DismissalRecorded': (agent, { args }) =>
    args.poster === agent.address ? { ...agent, dismissals: next(agent.dismissals) } : agent,
  'reputationRegistry.LapseRecorded': (agent, { args }) =>
    args.account === agent.address ? { ...agent, lapses: next(agent.lapses) } : agent,
  'reputationRegistry.DisputeRecorded': (agent, { args }) => {
    if (args.winner === agent.address) return { ...agent, disputesWon: next(agent.disputesWon) }
    return args.loser === agent.address ? { ...agent, disputesLost: next(agent.disputesLost) } : agent
  },

  'stakingVault.Staked': (agent, { args }) =>
    args.account === agent.address ? { ...agent, staked: agent.staked + args.amount } : agent,
  'stakingVault.Unstaked': (agent, { args }) =>
    args.account === agent.address ? { ...agent, staked: agent.staked - args.amount } : agent,

  'escrowVault.Released': (agent, { args }) => withPayout(agent, args),
  'escrowVault.Refunded': (agent, { args }) => withPayout(agent, args),
  'escrowVault.ExitDepositReturned': (agent, { args }) => withPayout(agent, { ...args, to: args.agent }),
  'escrowVault.Withdrawn': (agent, { args }) =>
    args.account === agent.address ? { ...agent, payouts: agent.payouts - args.amount } : agent,

  'arbitration.Paid': (agent, { args }) =>
    args.deferred && args.to === agent.address ? { ...agent, awards: agent.awards + args.amount } : agent,
  'arbitration.Withdrawn': (agent, { args }) =>
    args.account === agent.address ? { ...agent, awards: agent.awards - args.amount } : agent,
}

function withPayout(agent: AgentRecord, paid: { to: Address; amount: bigint; deferred: boolean }): AgentRecord {
  return paid.deferred && paid.to === agent.address ? { ...agent, payouts: agent.payouts + paid.amount } : agent
}

// The registry's counters saturate at the size of their storage slots.
const maxCount = 2 ** 32 - 1
const maxSum = 2n ** 128n - 1n

function next(count: number): number {
  return Math.min(count + 1, maxCount)
}

function plus(sum: bigint, amount: bigint): bigint {
  const total = sum + amount
  if (total > maxSum) return maxSum
  return total
}
