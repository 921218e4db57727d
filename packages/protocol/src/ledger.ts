import type { TaskRecord } from './records/task.ts'

/** What a wallet has in its tasks as poster, TOK wei. Locked: held and not disputed. */
export interface BuyerLedger {
  funded: bigint
  locked: bigint
  released: bigint
  refunded: bigint
  disputed: bigint
  taskCount: number
}

/** What a wallet has in its tasks as worker, TOK wei. */
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

/** What a task adds to the ledger of its poster. */
export function buyerShare({ state, funded, released, refunded }: Money): BuyerLedger {
  const held = funded - released - refunded
  const disputed = state === 'DISPUTED' ? held : 0n
  return { funded, locked: held - disputed, released, refunded, disputed, taskCount: 1 }
}

/** What a task adds to the ledger of the worker it has. */
export function workerShare(task: Money): WorkerLedger {
  const { locked, released, disputed, taskCount } = buyerShare(task)
  return { locked, released, disputed, taskCount }
}

/** The ledger of a wallet over all its tasks of one market. */
export function ledgerOf(wallet: string, tasks: Iterable<Money & Pick<TaskRecord, 'poster' | 'worker'>>): Ledger {
  const ledger = emptyLedger()
  for (const task of tasks) {
    if (task.poster === wallet) ledger.buyer = addShare(ledger.buyer, buyerShare(task), 1)
    if (task.worker === wallet) ledger.worker = addShare(ledger.worker, workerShare(task), 1)
  }
  return ledger
}

/** The ledger of a wallet without tasks. */
export function emptyLedger(): Ledger {
  return {
    buyer: { funded: 0n, locked: 0n, released: 0n, refunded: 0n, disputed: 0n, taskCount: 0 },
    worker: { locked: 0n, released: 0n, disputed: 0n, taskCount: 0 },
  }
}

/** One side of a ledger with a task's share more, or less. */
export function addShare<T extends BuyerLedger | WorkerLedger>(sum: T, share: T, sign: 1 | -1): T {
  const added = Object.entries(sum).map(([name, value]) => {
    const other = share[name as keyof T]
    return [
      name,
      typeof value === 'bigint' ? value + BigInt(sign) * (other as bigint) : value + sign * (other as number),
    ]
  })
  return Object.fromEntries(added) as T
}
