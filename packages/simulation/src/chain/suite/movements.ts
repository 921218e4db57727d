import { terminalStates } from '@svc/protocol'
import type { Address } from 'viem'
import type { Movement } from '../../model/money.ts'
import type { Performed } from './engine.ts'
import { type Frame, readAgent, refuseUnless } from './frame.ts'
import { type AccessAction, chargeAccessFee, shareExitDeposit } from './gateway.ts'
import { recordPayment } from './reputation.ts'

type Kind = Movement['kind']

interface EmitOptions {
  /** Only these kinds; all by default. */
  kinds?: readonly Kind[]
  /** Only movements that are not of these kinds. */
  except?: readonly Kind[]
  /** What a payer's access fee, or its exit deposit, is spent for. */
  feeFor?: (payer: Address) => AccessAction
}

/** What the arbitration contract moves before the registry ends the task. */
export const costKinds: readonly Kind[] = ['slashed', 'penalised', 'paid']

/** Emits the events of movements in the order of the contracts. */
export function emitMovements(done: Performed, { kinds, except = [], feeFor }: EmitOptions = {}): void {
  for (const movement of sortMovements(done)) {
    const { kind } = movement
    if ((kinds === undefined || kinds.includes(kind)) && !except.includes(kind)) emitMovement(done, movement, feeFor)
  }
}

/** Whether a task is old enough for sums and dismissals to count. */
export const isVetted = ({ frame, before }: Performed): boolean => frame.now > before.claimedAt + frame.params.vetWindow

/** The model pays before it lets both parties go, the worker first. At the end of a task, the registry does the opposite. */
function sortMovements({ movements, task }: Performed): readonly Movement[] {
  if (!(terminalStates as readonly string[]).includes(task.state)) return movements
  const rank = ({ kind, wallet }: Movement) => {
    if (kind === 'unreserved' || kind === 'exit deposit returned') return wallet === task.poster ? 1 : 2
    if (kind === 'released') return wallet === task.worker ? 3 : 0
    return kind === 'refunded' ? 4 : 0
  }
  return movements.toSorted((a, b) => rank(a) - rank(b))
}

/** One movement with the call that made it. */
interface Emission {
  done: Performed
  wallet: Address
  amount: bigint
  to: string | undefined
  nameAction: () => AccessAction
}

function emitMovement(
  done: Performed,
  { kind, amount, to, ...movement }: Movement,
  feeFor: EmitOptions['feeFor'],
): void {
  const wallet = movement.wallet as Address
  const nameAction = () => {
    if (!feeFor) throw new Error(`A call on task ${done.id} spent a fee, but does not tell what for.`)
    return feeFor(wallet)
  }
  emitters[kind]({ done, wallet, amount, to, nameAction })
}

const emitters: Readonly<Record<Kind, (emission: Emission) => void>> = {
  penalised: ({ done: { frame, id }, wallet, to, amount }) =>
    frame.emit('depositVault', 'Penalised', id, wallet, to, amount),
  unreserved: ({ done: { frame, id }, wallet, amount }) => frame.emit('depositVault', 'Unreserved', id, wallet, amount),
  reserved: ({ done: { frame, id }, wallet, amount }) => frame.emit('depositVault', 'Reserved', id, wallet, amount),
  fee: ({ done: { frame, id }, wallet, nameAction }) => chargeAccessFee(frame, id, wallet, nameAction()),
  funded: ({ done: { frame, id }, wallet, amount }) => {
    frame.emit('taskRegistry', 'TaskFunded', id, wallet, amount)
    frame.emit('escrowVault', 'Funded', id, wallet, amount)
    pull(frame, wallet, frame.escrowVault)
  },
  'exit deposit locked': ({ done: { frame, id }, wallet, amount }) => {
    frame.emit('escrowVault', 'ExitDepositLocked', id, wallet, amount)
    pull(frame, wallet, frame.escrowVault)
  },
  'exit deposit returned': ({ done: { frame, id }, wallet, amount }) =>
    frame.emit('escrowVault', 'ExitDepositReturned', id, wallet, amount, pushPayout(frame, wallet, amount)),
  'exit deposit spent': ({ done: { frame, id }, wallet, amount, nameAction }) => {
    frame.tokenLog()
    frame.emit('escrowVault', 'ExitDepositSpent', id, wallet, amount, false)
    shareExitDeposit(frame, id, wallet, nameAction())
  },
  // The escrow vault skips payments of nothing.
  released: ({ done, wallet, amount }) => {
    const { frame, id, task } = done
    if (amount === 0n) return
    if (wallet === task.worker && isVetted(done)) recordPayment(frame, id, task.poster, wallet, amount)
    frame.emit('escrowVault', 'Released', id, wallet, amount, pushPayout(frame, wallet, amount))
  },
  refunded: ({ done: { frame, id }, wallet, amount }) => {
    if (amount > 0n) frame.emit('escrowVault', 'Refunded', id, wallet, amount, pushPayout(frame, wallet, amount))
  },
  staked: ({ done: { frame }, wallet, amount }) => {
    frame.state.own.edit('own').totalStakes += amount
    if (amount > 0n) pull(frame, wallet, frame.arbitration)
  },
  slashed: ({ done: { frame, id }, wallet, amount }) => slash(frame, id, wallet, amount),
  paid: ({ done: { frame, id }, wallet, amount }) =>
    frame.emit('arbitration', 'Paid', id, wallet, amount, pushAward(frame, wallet, amount)),
}

/** EscrowVault.withdraw. */
export function withdrawPayout(frame: Frame, to: Address): void {
  const amount = readAgent(frame, frame.from).payouts
  refuseUnless(amount > 0n, 'NothingToWithdraw')
  refuseUnless(to !== frame.escrowVault, 'UnexpectedAmount')
  frame.state.agents.edit(frame.from).payouts = 0n
  frame.emit('escrowVault', 'Withdrawn', frame.from, to, amount)
  frame.tokenLog()
}

/** Takes TOK from a wallet. A contract compares its balance before and after, so it cannot pay itself. */
export function pull(frame: Frame, from: Address, to: Address): void {
  refuseUnless(from !== to, 'UnexpectedAmount')
  frame.tokenLog()
}

function slash(frame: Frame, id: bigint, arbitrator: Address, amount: bigint): void {
  frame.state.own.edit('own').totalBonded -= amount
  const bond = frame.state.arbitrators.get(arbitrator)?.bond ?? 0n
  frame.emit('arbitration', 'ArbitratorSlashed', id, arbitrator, amount, bond)
  // The token burns it.
  frame.tokenLog()
}

/** Pays from the escrow vault and returns whether the payout was deferred. */
function pushPayout(frame: Frame, to: Address, amount: bigint): boolean {
  const deferred = push(frame, frame.escrowVault, to)
  if (deferred) frame.state.agents.edit(to).payouts += amount
  return deferred
}

/** Pays from the arbitration contract and returns whether the payment was deferred. */
function pushAward(frame: Frame, to: Address, amount: bigint): boolean {
  const deferred = push(frame, frame.arbitration, to)
  if (deferred) frame.state.agents.edit(to).awards += amount
  return deferred
}

/** A transfer of a contract to itself succeeds, but nothing leaves the contract. */
function push(frame: Frame, from: Address, to: Address): boolean {
  const deferred = to === from || frame.unpayable(to)
  if (!deferred || to === from) frame.tokenLog()
  return deferred
}
