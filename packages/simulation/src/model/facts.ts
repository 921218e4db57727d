import { bps, computeJudgeLock, minBond } from '@svc/protocol/internal/money'
import type { CallFacts, DisputeSituation, Situation } from '@svc/protocol/internal/tasks'
import { readFreeDeposit } from './money.ts'
import { type Arbitrator, amountOf, finalCourt, newArbitrator, type Task, type Terms, type World } from './world.ts'

/** The arguments of a call. Missing ones have sensible defaults. */
export interface Args {
  terms?: Terms
  /** `create`: who signed as poster and as worker. */
  poster?: string
  worker?: string
  milestone?: number
  amount?: bigint
  workerBps?: bigint
  hashGiven?: boolean
  digestMatches?: boolean
  permitted?: boolean
  signed?: boolean
  /** `markDelivered`: the store's receipt. */
  receipt?: CallFacts['receipt']
  /** `openDispute`, `submitEvidence`: the worker's share that the caller names. */
  shareBps?: bigint
  /** `resolve`, `decide`: whose share is picked. */
  forWorker?: boolean
  /** `resolve`, `decide`: which dispute of the task; the last one if missing. */
  number?: number
  /** `propose`: whom. */
  arbitrator?: string | null
  /** `open`: which party took the milestone to arbitration. */
  opener?: string
  /** `settleDispute`: what a dispute tells the registry besides the worker's share. */
  settlement?: { courtShare: bigint; loser: string | null }
}

/** One call of one wallet. `post` and `create` name no task. */
export interface Call {
  operation: string
  caller: string
  taskId?: number
  args?: Args
}

/** Whether an arbitrator is bonded enough and not about to leave. */
export const isBonded = ({ bond, unbondAt }: Arbitrator): boolean => bond >= minBond && unbondAt === 0

/** Whether an arbitrator is bonded, with enough of the bond unlocked for a case over an amount. */
export const canTakeCase = (arbitrator: Arbitrator, amount: bigint): boolean =>
  isBonded(arbitrator) && arbitrator.locked + computeJudgeLock(amount) <= arbitrator.bond

/** What the lifecycle's guards see of a call. */
export function situation(world: World, task: Task, call: Call): Situation {
  const { terms } = task
  const { caller, args = {} } = call
  return {
    now: world.now,
    params: world.params,
    entriesPaused: world.entriesPaused,
    sunsetAt: 0,
    caller,
    finalCourt,
    task: {
      ...task,
      scope: terms.scope,
      claimPolicy: terms.claimPolicy,
      milestoneCount: terms.amounts.length,
      maxRevisions: terms.maxRevisions,
      claimDeadline: terms.claimDeadline,
      reviewWindow: terms.reviewWindow,
      store: terms.store,
      amount: amountOf(task, task.current),
      posterReserve: task.reserves[task.poster] ?? 0n,
    },
    call: {
      milestone: args.milestone ?? task.current,
      hashGiven: args.hashGiven ?? true,
      amount: args.amount ?? 0n,
      workerBps: args.workerBps ?? 0n,
      // Naming none asks for everything.
      shareBps: args.shareBps ?? (caller === task.poster ? 0n : bps),
      receipt: args.receipt ?? 'none',
      worker: args.worker ?? caller,
      digestMatches: args.digestMatches ?? true,
      permitted: args.permitted ?? false,
      signed: args.signed ?? true,
    },
    account: (wallet) => ({
      deposit: world.deposits[wallet] ?? 0n,
      free: readFreeDeposit(world, wallet),
      tok: world.tok[wallet] ?? 0n,
      credits: 0n,
    }),
  }
}

/** What the dispute table's guards see of a call. */
export function disputeSituation(world: World, task: Task, { caller, args = {} }: Call): DisputeSituation {
  const { dispute, poster } = task
  const worker = task.worker ?? ''
  return {
    now: world.now,
    dispute: { ...dispute, poster, worker },
    caller,
    finalCourt,
    call: {
      arbitrator: args.arbitrator ?? null,
      number: args.number ?? dispute.number,
      // Naming none leaves the share as it is.
      shareBps: args.shareBps ?? (caller === poster ? dispute.offerBps : dispute.askBps),
      forWorker: args.forWorker ?? false,
      hashGiven: args.hashGiven ?? true,
    },
    canTakeCase: (wallet) => canTakeCase(world.arbitrators[wallet] ?? newArbitrator, dispute.amount),
    free: (wallet) => readFreeDeposit(world, wallet),
  }
}
