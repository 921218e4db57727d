import { type Address, zeroAddress } from 'viem'
import type { Frame } from './frame.ts'

/** ReputationRegistry.recordPayment. */
export function recordPayment(frame: Frame, taskId: bigint, poster: Address, worker: Address, amount: bigint): void {
  if (amount === 0n) return
  frame.state.agents.edit(poster).paid += amount
  frame.state.agents.edit(worker).earned += amount
  frame.emit('reputationRegistry', 'PaymentRecorded', taskId, poster, worker, amount)
}

/** The contract compares addresses as numbers, so upper and lower case are the same. */
const byValue = (a: Address, b: Address) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)

/** ReputationRegistry.recordCompletion. */
export function recordCompletion(frame: Frame, taskId: bigint, poster: Address, worker: Address): void {
  const { agents, pairs } = frame.state
  const payer = agents.edit(poster)
  const payee = agents.edit(worker)
  payer.completedAsPoster++
  payee.completedAsWorker++
  const pair = [poster, worker].sort(byValue).join(' ')
  if (!pairs.get(pair)) {
    pairs.edit(pair)
    payer.distinctCounterparties++
    payee.distinctCounterparties++
  }
  frame.emit('reputationRegistry', 'CompletionRecorded', taskId, poster, worker)
}

/** ReputationRegistry.recordLeave. */
export function recordLeave(frame: Frame, taskId: bigint, worker: Address): void {
  frame.state.agents.edit(worker).leaves++
  frame.emit('reputationRegistry', 'LeaveRecorded', taskId, worker)
}

/** ReputationRegistry.recordDismissal. */
export function recordDismissal(frame: Frame, taskId: bigint, poster: Address): void {
  frame.state.agents.edit(poster).dismissals++
  frame.emit('reputationRegistry', 'DismissalRecorded', taskId, poster)
}

/** ReputationRegistry.recordLapse. */
export function recordLapse(frame: Frame, taskId: bigint, account: Address): void {
  frame.state.agents.edit(account).lapses++
  frame.emit('reputationRegistry', 'LapseRecorded', taskId, account)
}

/** ReputationRegistry.recordDispute. Without a ruling nobody has won. */
export function recordDispute(frame: Frame, taskId: bigint, winner: Address, loser: Address): void {
  if (winner !== zeroAddress) frame.state.agents.edit(winner).disputesWon++
  frame.state.agents.edit(loser).disputesLost++
  frame.emit('reputationRegistry', 'DisputeRecorded', taskId, winner, loser)
}
