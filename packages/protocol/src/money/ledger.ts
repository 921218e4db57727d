import type { TaskRecord } from '../records/task.ts'

/** A wallet's money in its tasks as poster, in TOK wei. Locked means held in escrow and not disputed. */
export interface BuyerLedger {
  funded: bigint
  locked: bigint
  released: bigint
  refunded: bigint
  disputed: bigint
  taskCount: number
}

/** A wallet's money in its tasks as worker, in TOK wei. */
export interface WorkerLedger {
  locked: bigint
  released: bigint
  disputed: bigint
  taskCount: number
}

export interface Ledger {
  buyer: BuyerLedger
  worker: WorkerLedger
}

type Money = Pick<TaskRecord, 'state' | 'funded' | 'released' | 'refunded'>

/**
 * Computes what a task adds to the ledger of its poster.
 *
 * @example
 * ```ts
 * const { locked, disputed } = computeBuyerShare(task)
 * ```
 */
export function computeBuyerShare({ state, funded, released, refunded }: Money): BuyerLedger {
  const held = funded - released - refunded
  const disputed = state === 'DISPUTED' ? held : 0n
  return { funded, locked: held - disputed, released, refunded, disputed, taskCount: 1 }
}

/**
 * Computes what a task adds to the ledger of its worker.
 *
 * @example
 * ```ts
 * const { locked, released } = computeWorkerShare(task)
 * ```
 */
export function computeWorkerShare(task: Money): WorkerLedger {
  const { locked, released, disputed, taskCount } = computeBuyerShare(task)
  return { locked, released, disputed, taskCount }
}

/**
 * Computes the ledger of a wallet from its tasks in one market. Tasks of other wallets are ignored.
 *
 * @example
 * ```ts
 * const { buyer, worker } = computeLedger(address, tasks)
 * ```
 */
export function computeLedger(wallet: string, tasks: Iterable<Money & Pick<TaskRecord, 'poster' | 'worker'>>): Ledger {
  const ledger = createLedger()
  for (const task of tasks) {
    if (task.poster === wallet) ledger.buyer = addLedgerShare(ledger.buyer, computeBuyerShare(task), 1)
    if (task.worker === wallet) ledger.worker = addLedgerShare(ledger.worker, computeWorkerShare(task), 1)
  }
  return ledger
}

/**
 * Creates the ledger of a wallet without tasks.
 *
 * @example
 * ```ts
 * createLedger().buyer.taskCount // 0
 * ```
 */
export function createLedger(): Ledger {
  return {
    buyer: { funded: 0n, locked: 0n, released: 0n, refunded: 0n, disputed: 0n, taskCount: 0 },
    worker: { locked: 0n, released: 0n, disputed: 0n, taskCount: 0 },
  }
}

/**
 * Adds the share of a task to one side of a ledger, or subtracts it with sign -1.
 *
 * @example
 * ```ts
 * ledger.buyer = addLedgerShare(ledger.buyer, computeBuyerShare(task), 1)
 * ```
 */
export function addLedgerShare<T extends BuyerLedger | WorkerLedger>(sum: T, share: T, sign: 1 | -1): T {
  const added = Object.entries(sum).map(([name, value]) => {
    const other = share[name as keyof T]
    return [
      name,
      typeof value === 'bigint' ? value + BigInt(sign) * (other as bigint) : value + sign * (other as number),
    ]
  })
  return Object.fromEntries(added) as T
}
