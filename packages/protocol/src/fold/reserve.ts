import type { Address } from 'viem'
import type { PairRecord, ReserveRecord } from '../records/agent.ts'
import type { MarketEvent } from './event.ts'
import { type EventHandlers, handleEvent } from './eventHandlers.ts'

/**
 * Creates the record of what a task holds of a wallet, before the first event.
 *
 * @example
 * ```ts
 * createReserveRecord(7n, address).amount // 0n
 * ```
 */
export function createReserveRecord(task: bigint, agent: Address): ReserveRecord {
  return { task, agent, amount: 0n, exitDeposit: 0n }
}

/**
 * Applies an event to what a task holds of a wallet. The event must belong to both.
 *
 * @example
 * ```ts
 * const after = applyReserve(reserve, reserved)
 * ```
 */
export function applyReserve(reserve: ReserveRecord, event: MarketEvent): ReserveRecord {
  return handleEvent(reserveHandlers, reserve, event)
}

/** The handlers of a reserve's events. */
export const reserveHandlers: EventHandlers<ReserveRecord> = {
  'depositVault.Reserved': (reserve, { args }) => ({ ...reserve, amount: reserve.amount + args.amount }),
  'depositVault.Unreserved': (reserve, { args }) => ({ ...reserve, amount: reserve.amount - args.amount }),
  'depositVault.Penalised': (reserve, { args }) => ({ ...reserve, amount: reserve.amount - args.amount }),
  'escrowVault.ExitDepositLocked': (reserve, { args }) => withExitDeposit(reserve, args.amount),
  'escrowVault.ExitDepositReturned': (reserve, { args }) => withExitDeposit(reserve, -args.amount),
  'escrowVault.ExitDepositSpent': (reserve, { args }) => withExitDeposit(reserve, -args.amount),
}

function withExitDeposit(reserve: ReserveRecord, change: bigint): ReserveRecord {
  return { ...reserve, exitDeposit: reserve.exitDeposit + change }
}

/**
 * Creates the record of two wallets with a completed task between them. The order of the arguments makes no difference.
 *
 * @example
 * ```ts
 * const { lower, higher } = createPairRecord(poster, worker)
 * ```
 */
export function createPairRecord(one: Address, other: Address): PairRecord {
  const [lower, higher] = sortAddresses(one, other)
  return { lower, higher }
}

/** Sorts two addresses by their numeric value, ignoring letter case. */
export function sortAddresses(one: Address, other: Address): [Address, Address] {
  return one.toLowerCase() < other.toLowerCase() ? [one, other] : [other, one]
}
