import { bps, disputeFee } from '../../packages/protocol/src/amounts.ts'
import type { DisputeMove } from '../../packages/protocol/src/disputes.ts'
import { least, penalise } from './money.ts'
import type { Appeal, Task, World } from './world.ts'

type Collect = Extract<DisputeMove, { move: 'collect' }>

const rulings = {
  standing: (task: Task) => task.dispute.workerBps,
  'for the worker': () => bps,
  shared: () => bps / 2n,
} as const

const heard = {
  all: (appeals: readonly Appeal[]) => appeals,
  'all but the last': (appeals: readonly Appeal[]) => appeals.slice(0, -1),
  none: () => [],
} as const

/** Computes what each party owes the bench when a dispute closes. */
export function computeDues(task: Task, { ruling, appeals }: Collect): { poster: bigint; worker: bigint } {
  const final = rulings[ruling](task)
  let poster = final === 0n ? 0n : final === bps ? disputeFee : disputeFee / 2n
  let worker = disputeFee - poster
  for (const { appellant, fromBps, bond } of heard[appeals](task.dispute.appeals)) {
    if (appellant === task.poster) poster += final >= fromBps ? bond : 0n
    else worker += final <= fromBps ? bond : 0n
  }
  return { poster, worker }
}

/** Pays the amount due in equal shares to the bench, up to the payer's reserve. The remainder of the division stays in the reserve. */
export function collect(world: World, task: Task, payer: string, due: bigint): void {
  const { bench } = task.dispute
  const reserve = task.reserves[payer] ?? 0n
  if (bench.length === 0 || due === 0n) return
  const share = least(due, reserve) / BigInt(bench.length)
  for (const { arbitrator } of bench) penalise(world, task, payer, arbitrator, share)
}
