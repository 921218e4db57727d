import { accessFee, exitDeposit } from '@svc/protocol'
import { bps, lockedDeposit, unionFeeBps } from '@svc/protocol/internal/money'
import { heldOf, type Task, type World } from './world.ts'

// The vaults' books. These functions write into the world and the task of one step: `step` hands them copies.

type Book = 'tok' | 'usdc' | 'deposits' | 'reserved'

/** One movement of money in a step. All but fees concern the task of the call. */
export interface Movement {
  kind:
    | 'reserved'
    | 'unreserved'
    | 'penalised'
    | 'fee'
    | 'funded'
    | 'released'
    | 'refunded'
    | 'exit deposit locked'
    | 'exit deposit returned'
    | 'exit deposit spent'
    | 'staked'
    | 'slashed'
    | 'paid'
  /** Whose deposit, reserve or bond it is; who pays a fee, funds or stakes; who receives a release, refund or payment. */
  wallet: string
  amount: bigint
  /** Who receives a penalty. */
  to?: string
}

/** What belongs to one step: the books that its world no longer shares with the world before, and its movements. */
const steps = new WeakMap<World, { books: Set<Book>; movements: Movement[] }>()

function currentStep(world: World) {
  const own = steps.get(world) ?? { books: new Set<Book>(), movements: [] }
  steps.set(world, own)
  return own
}

/** Lists what the step that made this world moved, in order. */
export const listMovements = (world: World): readonly Movement[] => steps.get(world)?.movements ?? []

export function recordMovement(world: World, movement: Movement): void {
  currentStep(world).movements.push(movement)
}

/** Adds to a wallet's amount in a book. Copies the book on the first change in a step, since the world before shares it. */
export function addTo(world: World, book: Book, wallet: string, amount: bigint): void {
  const { books } = currentStep(world)
  if (!books.has(book)) {
    world[book] = { ...world[book] }
    books.add(book)
  }
  world[book][wallet] = (world[book][wallet] ?? 0n) + amount
}

export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** The part of a wallet's deposit that no task reserves. */
export const readFreeDeposit = (world: World, wallet: string): bigint =>
  (world.deposits[wallet] ?? 0n) - (world.reserved[wallet] ?? 0n)

/** The part of a deposit that can be withdrawn: while anything is reserved, USD 12 more stay. */
export function readWithdrawable(world: World, wallet: string): bigint {
  const free = readFreeDeposit(world, wallet)
  if ((world.reserved[wallet] ?? 0n) === 0n) return free
  return free > lockedDeposit ? free - lockedDeposit : 0n
}

export function sendTok(world: World, from: string, to: string, amount: bigint): void {
  if (amount === 0n) return
  addTo(world, 'tok', from, -amount)
  addTo(world, 'tok', to, amount)
}

/** Pays an access fee in TOK: the model has no staking, so nobody has Action Credits. */
export function payFee(world: World, payer: string): void {
  recordMovement(world, { kind: 'fee', wallet: payer, amount: accessFee })
  shareFee(world, payer, accessFee)
}

function shareFee(world: World, from: string, amount: bigint): void {
  const toUnion = (amount * unionFeeBps) / bps
  sendTok(world, from, 'stakingVault', toUnion)
  sendTok(world, from, 'treasury', amount - toUnion)
}

export function lockExitDeposit(world: World, task: Task, wallet: string): void {
  task.exitDeposits[wallet] = (task.exitDeposits[wallet] ?? 0n) + exitDeposit
  recordMovement(world, { kind: 'exit deposit locked', wallet, amount: exitDeposit })
  sendTok(world, wallet, 'escrowVault', exitDeposit)
}

export function returnExitDeposit(world: World, task: Task, wallet: string): void {
  const amount = takeExitDeposit(task, wallet)
  if (amount === 0n) return
  recordMovement(world, { kind: 'exit deposit returned', wallet, amount })
  sendTok(world, 'escrowVault', wallet, amount)
}

/** Shares the exit deposit out like an access fee. */
export function spendExitDeposit(world: World, task: Task, wallet: string): void {
  const amount = takeExitDeposit(task, wallet)
  if (amount === 0n) return
  recordMovement(world, { kind: 'exit deposit spent', wallet, amount })
  shareFee(world, 'escrowVault', amount)
}

/** Gives the exit deposit to the Union. */
export function forfeitExitDeposit(world: World, task: Task, wallet: string): void {
  const amount = takeExitDeposit(task, wallet)
  if (amount === 0n) return
  recordMovement(world, { kind: 'exit deposit spent', wallet, amount })
  sendTok(world, 'escrowVault', 'stakingVault', amount)
}

function takeExitDeposit(task: Task, wallet: string): bigint {
  const amount = task.exitDeposits[wallet] ?? 0n
  if (amount > 0n) task.exitDeposits[wallet] = 0n
  return amount
}

export function fundEscrow(world: World, task: Task, amount: bigint): void {
  if (amount === 0n) return
  task.funded += amount
  recordMovement(world, { kind: 'funded', wallet: task.poster, amount })
  sendTok(world, task.poster, 'escrowVault', amount)
}

export function releaseEscrow(world: World, task: Task, to: string, amount: bigint): void {
  task.released += amount
  recordMovement(world, { kind: 'released', wallet: to, amount })
  sendTok(world, 'escrowVault', to, amount)
}

export function refundEscrow(world: World, task: Task): void {
  const amount = heldOf(task)
  task.refunded += amount
  recordMovement(world, { kind: 'refunded', wallet: task.poster, amount })
  sendTok(world, 'escrowVault', task.poster, amount)
}

/** Raises the reserve by `amount`, or by the free deposit if that is less. */
export function reserve(world: World, task: Task, wallet: string, amount: bigint): void {
  const added = least(amount, readFreeDeposit(world, wallet))
  if (added <= 0n) return
  task.reserves[wallet] = (task.reserves[wallet] ?? 0n) + added
  addTo(world, 'reserved', wallet, added)
  recordMovement(world, { kind: 'reserved', wallet, amount: added })
}

/** Raises the reserve to `target`, up to the free deposit. Guards make sure that it suffices where it must. */
export function reserveUpTo(world: World, task: Task, wallet: string, target: bigint): void {
  reserve(world, task, wallet, target - (task.reserves[wallet] ?? 0n))
}

export function unreserve(world: World, task: Task, wallet: string): void {
  const reserved = task.reserves[wallet] ?? 0n
  if (reserved === 0n) return
  addTo(world, 'reserved', wallet, -reserved)
  task.reserves[wallet] = 0n
  recordMovement(world, { kind: 'unreserved', wallet, amount: reserved })
}

/** Moves up to `amount` of a reserve into another deposit. */
export function penalise(world: World, task: Task, wallet: string, to: string, amount: bigint): void {
  const reserved = task.reserves[wallet] ?? 0n
  const paid = least(amount, reserved)
  if (paid === 0n) return
  task.reserves[wallet] = reserved - paid
  addTo(world, 'reserved', wallet, -paid)
  addTo(world, 'deposits', wallet, -paid)
  addTo(world, 'deposits', to, paid)
  recordMovement(world, { kind: 'penalised', wallet, to, amount: paid })
}

/** Pays TOK out of the arbitration contract. */
export function payOut(world: World, to: string, amount: bigint): void {
  if (amount === 0n) return
  recordMovement(world, { kind: 'paid', wallet: to, amount })
  sendTok(world, 'arbitration', to, amount)
}

/** Burns TOK of the arbitration contract. The books keep it in a wallet that nobody has, so that they still add up. */
export const burn = (world: World, amount: bigint): void => sendTok(world, 'arbitration', 'burnt', amount)
