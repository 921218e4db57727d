import { accessFee, bps, unionFeeBps } from '../../packages/protocol/src/amounts.ts'
import { heldOf, type Task, type World } from './world.ts'

// The vaults' books. These functions write into the world and the task of one step: `step` hands them copies.

type Book = 'tok' | 'usdc' | 'deposits' | 'reserved' | 'withdrawable'

/** One movement of money in a step. A reserve, a penalty and a slash concern the task of the call. */
export interface Movement {
  kind: 'reserved' | 'unreserved' | 'penalised' | 'fee' | 'funded' | 'released' | 'refunded' | 'slashed'
  /** Whose deposit, reserve or bond it is; who pays a fee or funds; who receives a release or a refund. */
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

export function sendTok(world: World, from: string, to: string, amount: bigint): void {
  if (amount === 0n) return
  addTo(world, 'tok', from, -amount)
  addTo(world, 'tok', to, amount)
}

/** Pays an access fee in TOK: the model has no staking, so nobody has Action Credits. */
export function payFee(world: World, payer: string): void {
  recordMovement(world, { kind: 'fee', wallet: payer, amount: accessFee })
  const toUnion = (accessFee * unionFeeBps) / bps
  sendTok(world, payer, 'stakingVault', toUnion)
  sendTok(world, payer, 'treasury', accessFee - toUnion)
}

export function fundEscrow(world: World, task: Task, amount: bigint): void {
  if (amount === 0n) return
  task.funded += amount
  recordMovement(world, { kind: 'funded', wallet: task.poster, amount })
  sendTok(world, task.poster, 'escrowVault', amount)
}

export function releaseEscrow(world: World, task: Task, amount: bigint): void {
  if (task.worker === null) return
  task.released += amount
  recordMovement(world, { kind: 'released', wallet: task.worker, amount })
  sendTok(world, 'escrowVault', task.worker, amount)
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
