import { bps, unionFeeBps } from '@svc/protocol/internal/money'
import type { Actor } from '../check/property.ts'
import { taskId } from '../check/scenarios.ts'
import { listMovements } from '../money.ts'
import { finalCourt, heldOf, type World } from '../world.ts'

/** One person with several wallets. */
export interface Owner {
  name: string
  /** The section of docs/economics.md that admits that this owner gains. */
  admitted: string | null
  /** Whose moves the owner chooses. Everybody else plays honestly. */
  actors: readonly Actor[]
  /** The wallets whose money counts. One without an actor earns for the owner and still plays honestly. */
  wallets: readonly string[]
  /** The store of the terms belongs to the owner: of a poster it signs nothing. */
  hasStore: boolean
  /** The part of all stakes in the Union, and of all TOK, that the owner holds. */
  stakes: number
  supply: number
}

/** An amount of money in two currencies, in USD and whole TOK. */
export interface Holdings {
  usd: number
  tok: number
}

/** Each dispute of a task has its own arbitrator, as in the model check. */
export const judges = ['arbitrator1', 'arbitrator2', 'arbitrator3', 'arbitrator4'] as const

const walletsByRole = {
  poster: ['poster'],
  worker: ['worker'],
  arbitrator: judges,
  court: [finalCourt],
  treasury: ['treasury'],
} as const satisfies Record<string, readonly string[]>

type Role = keyof typeof walletsByRole

interface OwnerOptions {
  store?: true
  stakes?: number
  supply?: number
  /** Wallets that earn for the owner and play honestly. */
  earns?: readonly Role[]
  admitted?: string
}

function createOwner(name: string, roles: readonly Role[], options: OwnerOptions = {}): Owner {
  const { store = false, stakes = 0, supply = 0, earns = [], admitted = null } = options
  const acting = roles.filter((role) => role !== 'treasury')
  const isBothParties = roles.includes('poster') && roles.includes('worker')
  return {
    name,
    admitted,
    actors: [...acting, 'stranger', ...(isBothParties ? (['both'] as const) : [])],
    wallets: [...roles, ...earns].flatMap((role) => walletsByRole[role]),
    hasStore: store,
    stakes,
    supply,
  }
}

/** Nothing stands above the court. */
const theCourt = { admitted: 'The final court' }
/** Who holds a part of all TOK gains from what judges lose. */
const holder = { admitted: 'Other limits' }

/** Everybody who could have several wallets. */
export const owners: readonly Owner[] = [
  createOwner('poster', ['poster']),
  createOwner('worker', ['worker']),
  createOwner('poster and worker', ['poster', 'worker']),
  createOwner('poster and judge', ['poster', 'arbitrator']),
  createOwner('worker and judge', ['worker', 'arbitrator']),
  createOwner('poster and store', ['poster'], { store: true }),
  createOwner('worker and store', ['worker'], { store: true }),
  createOwner('poster, judge and store', ['poster', 'arbitrator'], { store: true }),
  createOwner('many wallets: poster, worker, judge and store', ['poster', 'worker', 'arbitrator'], { store: true }),
  createOwner('treasury and poster', ['treasury', 'poster']),
  createOwner('treasury and worker', ['treasury', 'worker']),
  createOwner('judge', ['arbitrator']),
  createOwner('court and judge', ['court', 'arbitrator'], theCourt),
  createOwner('court and treasury', ['court', 'treasury']),
  createOwner('court and worker', ['court', 'worker'], theCourt),
  createOwner('court and poster', ['court', 'poster'], theCourt),
  createOwner('worker, and a court that decides rightly', ['worker'], { earns: ['court'] }),
  createOwner('poster, and a court that decides rightly', ['poster'], { earns: ['court'] }),
  createOwner('worker, all stakes, and a court that decides rightly', ['worker'], { earns: ['court'], stakes: 1 }),
  createOwner('poster and all stakes', ['poster'], { stakes: 1 }),
  createOwner('poster, worker, and a tenth of stakes and TOK', ['poster', 'worker'], {
    stakes: 0.1,
    supply: 0.1,
    ...holder,
  }),
  createOwner('poster, worker, and 3 % of TOK', ['poster', 'worker'], { supply: 0.03, ...holder }),
]

const toTok = (wei: bigint): number => Number(wei) / 1e18

/** Reads what belongs to an owner: wallets, deposits, bonds, what the task holds for it, and its part of Union and burns. */
export function readOwnHoldings(world: World, { wallets, stakes, supply }: Owner): Holdings {
  const task = world.tasks[taskId]
  let usd = 0n
  // A task that paid out more than it held owes nothing.
  const held = task && heldOf(task) > 0n ? heldOf(task) : 0n
  let tok = task && wallets.includes(task.poster) ? held + task.dispute.stake : 0n
  for (const wallet of wallets) {
    usd += (world.deposits[wallet] ?? 0n) + (world.usdc[wallet] ?? 0n)
    tok += (world.tok[wallet] ?? 0n) + (task?.exitDeposits[wallet] ?? 0n) + (world.arbitrators[wallet]?.bond ?? 0n)
  }
  const { stakingVault = 0n, burnt = 0n } = world.tok
  // Who holds a part of all TOK gains that part of what is burnt.
  return { usd: Number(usd) / 1e6, tok: toTok(tok) + stakes * toTok(stakingVault) + supply * toTok(burnt) }
}

/**
 * Computes what the owner got of the entry fees that others paid in the step that made this world. Entering is a service
 * with a price list: its price is not a gain.
 */
export function computeSales(world: World, { wallets, stakes }: Owner): number {
  const toUnion = Number(unionFeeBps) / Number(bps)
  const part = (wallets.includes('treasury') ? 1 - toUnion : 0) + stakes * toUnion
  const paid = listMovements(world).filter(({ kind, wallet }) => kind === 'fee' && !wallets.includes(wallet))
  return paid.reduce((sum, { amount }) => sum + part * toTok(amount), 0)
}
