import { minBond, slashAmount } from '../../packages/protocol/src/amounts.ts'
import type { DisputeSituation } from '../../packages/protocol/src/disputes.ts'
import type { Situation } from '../../packages/protocol/src/guards.ts'
import { freeOf } from './money.ts'
import { newArbitrator, type Task, type Terms, type World } from './world.ts'

/** What a call says beyond its name. What is left out is as a well-meaning caller would have it. */
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
}

/** One call of one wallet. `post` and `create` name no task. */
export interface Call {
  operation: string
  caller: string
  taskId?: number
  args?: Args
}

/** Bonded enough to be drawn, and not about to leave. */
export function isBonded(world: World, wallet: string): boolean {
  const arbitrator = world.arbitrators[wallet]
  return arbitrator !== undefined && arbitrator.bond >= minBond && arbitrator.unbondAt === 0
}

/** Bonded, and the bond covers the slash of every open case and of one more. */
function isEligible(world: World, wallet: string): boolean {
  const { bond, openCases } = world.arbitrators[wallet] ?? newArbitrator
  return isBonded(world, wallet) && BigInt(openCases + 1) * slashAmount <= bond
}

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
      free: freeOf(world, wallet),
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
  // A new dispute knows nobody yet.
  const sat = dispute.phase === 'CLOSED' ? [] : dispute.sat
  return {
    now: world.now,
    dispute: { ...dispute, poster, worker, panel: dispute.bench.slice(dispute.panelStart) },
    caller,
    call: {
      arbitrator: args.arbitrator ?? null,
      panel: args.panel ?? null,
      workerBps: args.workerBps ?? 0n,
      hashGiven: args.hashGiven ?? true,
    },
    maySit: (wallet) => isEligible(world, wallet) && wallet !== poster && wallet !== worker && !sat.includes(wallet),
    get somebodyBonded() {
      return Object.keys(world.arbitrators).some((wallet) => isBonded(world, wallet))
    },
    free: (wallet) => freeOf(world, wallet),
  }
}
