import type { Address } from 'viem'
import { agentOf, check, type Frame } from './frame.ts'

/** What the escrow holds for a task. */
export function heldOf({ state }: Frame, taskId: bigint): bigint {
  const task = state.tasks.get(taskId)
  return task ? task.funded - task.released - task.refunded : 0n
}

/** EscrowVault.fund. */
export function fundEscrow(frame: Frame, taskId: bigint, from: Address, amount: bigint): void {
  // What counts is the vault's balance before and after, so the vault itself can never bring money.
  check(from !== frame.escrowVault, 'UnexpectedAmount')
  frame.state.tasks.edit(taskId).funded += amount
  frame.emit('escrowVault', 'Funded', taskId, from, amount)
  frame.tokenLog()
}

/** EscrowVault.release. */
export function releaseEscrow(frame: Frame, taskId: bigint, to: Address, amount: bigint): void {
  check(amount <= heldOf(frame, taskId), 'InsufficientHeld')
  if (amount === 0n) return
  frame.state.tasks.edit(taskId).released += amount
  frame.emit('escrowVault', 'Released', taskId, to, amount, push(frame, to, amount))
}

/** EscrowVault.refund: all that is held. */
export function refundEscrow(frame: Frame, taskId: bigint, to: Address): void {
  const amount = heldOf(frame, taskId)
  if (amount === 0n) return
  frame.state.tasks.edit(taskId).refunded += amount
  frame.emit('escrowVault', 'Refunded', taskId, to, amount, push(frame, to, amount))
}

/** EscrowVault.withdraw. */
export function withdrawPayout(frame: Frame, to: Address): void {
  const amount = agentOf(frame, frame.from).payouts
  check(amount > 0n, 'NothingToWithdraw')
  check(to !== frame.escrowVault, 'UnexpectedAmount')
  frame.state.agents.edit(frame.from).payouts = 0n
  frame.emit('escrowVault', 'Withdrawn', frame.from, to, amount)
  frame.tokenLog()
}

/** Answers whether the money had to stay. A transfer to the vault itself succeeds, and yet nothing leaves it. */
function push(frame: Frame, to: Address, amount: bigint): boolean {
  const toItself = to === frame.escrowVault
  const deferred = toItself || frame.unpayable(to)
  if (!deferred || toItself) frame.tokenLog()
  if (deferred) frame.state.agents.edit(to).payouts += amount
  return deferred
}
