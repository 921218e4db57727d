import type { Address } from 'viem'
import { agentOf, check, type Frame, least } from './frame.ts'

const positive = (value: bigint) => (value > 0n ? value : 0n)

/** DepositVault.topUpFor. */
export function topUpFor(frame: Frame, agent: Address, amount: bigint): void {
  check(amount > 0n, 'ZeroAmount')
  frame.state.agents.edit(agent).deposit += amount
  frame.state.own.edit('own').totalDeposits += amount
  frame.emit('depositVault', 'ToppedUp', agent, frame.from, amount)
  frame.tokenLog()
}

/** DepositVault.withdraw. */
export function withdrawDeposit(frame: Frame, amount: bigint, to: Address): void {
  check(amount > 0n, 'ZeroAmount')
  check(amount <= freeOf(frame, frame.from), 'InsufficientDeposit')
  frame.state.agents.edit(frame.from).deposit -= amount
  frame.state.own.edit('own').totalDeposits -= amount
  frame.emit('depositVault', 'Withdrawn', frame.from, to, amount)
  frame.tokenLog()
}

/** What of a deposit no task reserves. */
function freeOf(frame: Frame, agent: Address): bigint {
  const { deposit, reserved } = agentOf(frame, agent)
  return deposit - reserved
}

/** What a party has reserved for a task. */
export function reserveOf({ state }: Frame, taskId: bigint, agent: Address): bigint {
  const task = state.tasks.get(taskId)
  if (task?.poster === agent) return task.posterReserve
  return task?.worker === agent ? task.workerReserve : 0n
}

/** DepositVault.reserve: up to the target, or a refusal. */
export function reserve(frame: Frame, taskId: bigint, agent: Address, target: bigint): void {
  const missing = positive(target - reserveOf(frame, taskId, agent))
  check(missing <= freeOf(frame, agent), 'InsufficientDeposit')
  put(frame, taskId, agent, missing)
}

/** DepositVault.refill: towards the target, as far as the deposit goes. */
export function refill(frame: Frame, taskId: bigint, agent: Address, target: bigint): void {
  put(frame, taskId, agent, least(positive(target - reserveOf(frame, taskId, agent)), freeOf(frame, agent)))
}

/** DepositVault.unreserve. */
export function unreserve(frame: Frame, taskId: bigint, agent: Address): void {
  const amount = reserveOf(frame, taskId, agent)
  if (amount === 0n) return
  change(frame, taskId, agent, -amount)
  frame.state.agents.edit(agent).reserved -= amount
  frame.emit('depositVault', 'Unreserved', taskId, agent, amount)
}

/** DepositVault.penalise: out of the reserve, as far as it goes. */
export function penalise(frame: Frame, taskId: bigint, agent: Address, to: Address, amount: bigint): void {
  const paid = least(amount, reserveOf(frame, taskId, agent))
  if (paid === 0n) return
  change(frame, taskId, agent, -paid)
  const payer = frame.state.agents.edit(agent)
  payer.reserved -= paid
  payer.deposit -= paid
  frame.state.agents.edit(to).deposit += paid
  frame.emit('depositVault', 'Penalised', taskId, agent, to, paid)
}

function put(frame: Frame, taskId: bigint, agent: Address, amount: bigint): void {
  if (amount === 0n) return
  change(frame, taskId, agent, amount)
  frame.state.agents.edit(agent).reserved += amount
  frame.emit('depositVault', 'Reserved', taskId, agent, amount)
}

function change({ state }: Frame, taskId: bigint, agent: Address, by: bigint): void {
  const task = state.tasks.edit(taskId)
  if (task.poster === agent) task.posterReserve += by
  else task.workerReserve += by
}
