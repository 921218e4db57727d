import { accessFee, bps, unionFeeBps } from '../../packages/protocol/src/amounts.ts'
import { heldOf, type Task, type World } from './world.ts'

// The vaults' books. These write into a world and a task of their own: `step` hands them copies.

type Book = 'tok' | 'usdc' | 'deposits' | 'reserved' | 'withdrawable'

/** The books a world no longer shares with the world before it. */
const ownBooks = new WeakMap<World, Set<Book>>()

/** Adds to one wallet's place in a book. The first change in a step copies the book: the world before shares the old one. */
export function addTo(world: World, book: Book, wallet: string, amount: bigint): void {
  const own = ownBooks.get(world) ?? new Set()
  if (!own.has(book)) {
    world[book] = { ...world[book] }
    ownBooks.set(world, own.add(book))
  }
  world[book][wallet] = (world[book][wallet] ?? 0n) + amount
}

export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** The part of a wallet's deposit that no task reserves. */
export const freeOf = (world: World, wallet: string): bigint =>
  (world.deposits[wallet] ?? 0n) - (world.reserved[wallet] ?? 0n)

export function sendTok(world: World, from: string, to: string, amount: bigint): void {
  if (amount === 0n) return
  addTo(world, 'tok', from, -amount)
  addTo(world, 'tok', to, amount)
}

/** An access fee, paid in TOK: the model knows no stakes, so nobody has Action Credits. */
export function payFee(world: World, payer: string): void {
  const toUnion = (accessFee * unionFeeBps) / bps
  sendTok(world, payer, 'stakingVault', toUnion)
  sendTok(world, payer, 'treasury', accessFee - toUnion)
}

export function fundEscrow(world: World, task: Task, amount: bigint): void {
  task.funded += amount
  sendTok(world, task.poster, 'escrowVault', amount)
}

export function releaseEscrow(world: World, task: Task, amount: bigint): void {
  if (task.worker === null) return
  task.released += amount
  sendTok(world, 'escrowVault', task.worker, amount)
}

export function refundEscrow(world: World, task: Task): void {
  const amount = heldOf(task)
  task.refunded += amount
  sendTok(world, 'escrowVault', task.poster, amount)
}

/** Raises the reserve by `amount`, or by what is free of it. */
export function reserve(world: World, task: Task, wallet: string, amount: bigint): void {
  const added = least(amount, freeOf(world, wallet))
  if (added <= 0n) return
  task.reserves[wallet] = (task.reserves[wallet] ?? 0n) + added
  addTo(world, 'reserved', wallet, added)
}

/** Raises the reserve to `target`, as far as the free deposit goes; guards have seen to it where it must go all the way. */
export function reserveUpTo(world: World, task: Task, wallet: string, target: bigint): void {
  reserve(world, task, wallet, target - (task.reserves[wallet] ?? 0n))
}

export function unreserve(world: World, task: Task, wallet: string): void {
  const reserved = task.reserves[wallet] ?? 0n
  if (reserved === 0n) return
  addTo(world, 'reserved', wallet, -reserved)
  task.reserves[wallet] = 0n
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
}
