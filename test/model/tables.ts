import {
  type DisputeGuard,
  type DisputeGuardName,
  type DisputeTransition,
  disputeGuards,
  disputes,
} from '../../packages/protocol/src/disputes.ts'
import { type Guard, type GuardName, guards } from '../../packages/protocol/src/guards.ts'
import { arrivals, lifecycle, type Transition } from '../../packages/protocol/src/lifecycle.ts'
import { disputeEffects, disputeMoves } from './disputes.ts'
import { effects, moves, onArrival } from './tasks.ts'

/** The two tables and what their words do. A test may hand `step` others, to see that a broken rule is noticed. */
export interface Tables {
  lifecycle: readonly Transition[]
  guards: Readonly<Record<GuardName, Guard>>
  arrivals: typeof arrivals
  effects: typeof effects
  moves: typeof moves
  onArrival: typeof onArrival
  disputes: readonly DisputeTransition[]
  disputeGuards: Readonly<Record<DisputeGuardName, DisputeGuard>>
  disputeEffects: typeof disputeEffects
  disputeMoves: typeof disputeMoves
}

/** The market as it is. */
export const tables: Tables = {
  lifecycle,
  guards,
  arrivals,
  effects,
  moves,
  onArrival,
  disputes,
  disputeGuards,
  disputeEffects,
  disputeMoves,
}
