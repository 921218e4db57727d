import { minBond, slashAmount } from '../../packages/protocol/src/amounts.ts'
import type { DisputeSituation } from '../../packages/protocol/src/disputes.ts'
import type { Situation } from '../../packages/protocol/src/guards.ts'
import { readFreeDeposit } from './money.ts'
import { type Arbitrator, newArbitrator, type Task, type Terms, type World } from './world.ts'

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
  /** `propose`: whom; `open`: whom the terms name. */
  arbitrator?: string | null
  /** `open`: which party took the milestone to arbitration. */
  opener?: string
  /** `seat`: who was drawn; null or nothing when the call only fixes the block of the draw. */
  panel?: readonly string[] | null
  /** `seat`: the block that decides the draw is fixed and still to come. */
  drawPending?: boolean
}

/** One call of one wallet. `post` and `create` name no task. */
export interface Call {
  operation: string
  caller: string
  taskId?: number
  args?: Args
}

/** Whether an arbitrator is bonded enough to be drawn and not about to leave. */
export const isBonded = ({ bond, unbondAt }: Arbitrator): boolean => bond >= minBond && unbondAt === 0

/** Whether an arbitrator is bonded, and the bond covers the slash of every open case and of one more. */
export const canTakeCase = (arbitrator: Arbitrator): boolean =>
  isBonded(arbitrator) && BigInt(arbitrator.openCases + 1) * slashAmount <= arbitrator.bond

/** What the lifecycle's guards see of a call. */
export function situation(world: World, task: Task, { caller, args = {} }: Call): Situation {
  const { terms } = task
  return {
    now: world.now,
    params: world.params,
    entriesPaused: world.entriesPaused,
    caller,
    task: {
      ...task,
      scope: terms.scope,
      claimPolicy: terms.claimPolicy,
      milestoneCount: terms.amounts.length,
      maxRevisions: terms.maxRevisions,
      claimDeadline: terms.claimDeadline,
      posterReserve: task.reserves[task.poster] ?? 0n,
    },
    call: {
      milestone: args.milestone ?? task.current,
      hashGiven: args.hashGiven ?? true,
      amount: args.amount ?? 0n,
      workerBps: args.workerBps ?? 0n,
      worker: args.worker ?? caller,
      digestMatches: args.digestMatches ?? true,
      permitted: args.permitted ?? false,
      signed: args.signed ?? true,
    },
    account: (wallet) => ({
      deposit: world.deposits[wallet] ?? 0n,
      free: readFreeDeposit(world, wallet),
      liveClaims: world.liveClaims[wallet] ?? 0,
      tok: world.tok[wallet] ?? 0n,
      credits: 0n,
    }),
  }
}

/** What the dispute table's guards see of a call. */
export function disputeSituation(world: World, task: Task, { caller, args = {} }: Call): DisputeSituation {
  const { dispute, poster } = task
  const worker = task.worker ?? ''
  // In a new dispute nobody has been seated.
  const sat = dispute.phase === 'CLOSED' ? [] : dispute.sat
  return {
    now: world.now,
    dispute: { ...dispute, poster, worker, panel: dispute.bench.slice(dispute.panelStart) },
    caller,
    call: {
      arbitrator: args.arbitrator ?? null,
      panel: args.panel ?? null,
      drawPending: args.drawPending ?? false,
      workerBps: args.workerBps ?? 0n,
      hashGiven: args.hashGiven ?? true,
    },
    maySit: (wallet) =>
      canTakeCase(world.arbitrators[wallet] ?? newArbitrator) &&
      wallet !== poster &&
      wallet !== worker &&
      !sat.includes(wallet),
    get somebodyBonded() {
      return Object.values(world.arbitrators).some(isBonded)
    },
    free: (wallet) => readFreeDeposit(world, wallet),
  }
}
