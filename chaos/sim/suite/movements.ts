import type { Address } from 'viem'
import type { Movement } from '../../../test/model/money.ts'
import type { Performed } from './engine.ts'
import { type Frame, readAgent, refuseUnless } from './frame.ts'
import { type AccessAction, chargeAccessFee } from './gateway.ts'
import { recordPayment } from './reputation.ts'

/** The kinds of movements in the order in which the contracts log them. */
const logOrder: readonly Movement['kind'][] = [
  'penalised',
  'unreserved',
  'reserved',
  'funded',
  'fee',
  'released',
  'refunded',
]

/** Emits the events of the movements of some kinds, kind by kind. `feeFor` tells what a payer's access fee is for. */
export function emitMovements(done: Performed, { kinds = logOrder, feeFor }: EmitOptions = {}): void {
  for (const kind of kinds) {
    for (const movement of done.movements) if (movement.kind === kind) emitMovement(done, movement, feeFor)
  }
}

interface EmitOptions {
  kinds?: readonly Movement['kind'][]
  feeFor?: (payer: Address) => AccessAction
}

function emitMovement({ frame, id, task }: Performed, movement: Movement, feeFor: EmitOptions['feeFor']): void {
  const { kind, amount, to } = movement
  const wallet = movement.wallet as Address
  if (kind === 'penalised') frame.emit('depositVault', 'Penalised', id, wallet, to, amount)
  if (kind === 'unreserved') frame.emit('depositVault', 'Unreserved', id, wallet, amount)
  if (kind === 'reserved') frame.emit('depositVault', 'Reserved', id, wallet, amount)
  if (kind === 'funded') fundEscrow(frame, id, wallet, amount)
  if (kind === 'slashed') slash(frame, id, wallet, amount)
  if (kind === 'fee') {
    if (!feeFor) throw new Error(`A call on task ${id} charged a fee, but does not tell what for.`)
    chargeAccessFee(frame, id, wallet, feeFor(wallet))
  }
  // The escrow vault skips payments of nothing.
  if (kind === 'released' && amount > 0n) {
    recordPayment(frame, id, task.poster, wallet, amount)
    frame.emit('escrowVault', 'Released', id, wallet, amount, push(frame, wallet, amount))
  }
  if (kind === 'refunded' && amount > 0n) {
    frame.emit('escrowVault', 'Refunded', id, wallet, amount, push(frame, wallet, amount))
  }
}

/** The kinds that follow the penalties. */
export const afterPenalties = logOrder.slice(1)

/** EscrowVault.withdraw. */
export function withdrawPayout(frame: Frame, to: Address): void {
  const amount = readAgent(frame, frame.from).payouts
  refuseUnless(amount > 0n, 'NothingToWithdraw')
  refuseUnless(to !== frame.escrowVault, 'UnexpectedAmount')
  frame.state.agents.edit(frame.from).payouts = 0n
  frame.emit('escrowVault', 'Withdrawn', frame.from, to, amount)
  frame.tokenLog()
}

function fundEscrow(frame: Frame, id: bigint, from: Address, amount: bigint): void {
  // The vault compares its balance before and after, so it cannot fund a task itself.
  refuseUnless(from !== frame.escrowVault, 'UnexpectedAmount')
  frame.emit('taskRegistry', 'TaskFunded', id, from, amount)
  frame.emit('escrowVault', 'Funded', id, from, amount)
  frame.tokenLog()
}

function slash(frame: Frame, id: bigint, arbitrator: Address, amount: bigint): void {
  frame.state.own.edit('own').totalBonded -= amount
  const bond = frame.state.arbitrators.get(arbitrator)?.bond ?? 0n
  frame.emit('arbitration', 'ArbitratorSlashed', id, arbitrator, amount, bond)
}

/** Returns whether the payout was deferred. A transfer to the vault itself succeeds, but nothing leaves the vault. */
function push(frame: Frame, to: Address, amount: bigint): boolean {
  const toItself = to === frame.escrowVault
  const deferred = toItself || frame.unpayable(to)
  if (!deferred || toItself) frame.tokenLog()
  if (deferred) frame.state.agents.edit(to).payouts += amount
  return deferred
}
