import type { DisputeGuard, DisputeGuardName, Guard, GuardName } from '@svc/protocol/internal/tasks'
import {
  type DisputeTransition,
  disputeGuards,
  disputes,
  guards,
  lifecycle,
  onEnter,
  type Transition,
} from '@svc/protocol/lifecycle'
import { disputeEffects, disputeMoves } from './disputes.ts'
import { effects, moves, onArrival } from './tasks.ts'

/** The two tables and the implementation of their words. A test may pass others to see that a broken rule is noticed. */
export interface Tables {
  lifecycle: readonly Transition[]
  guards: Readonly<Record<GuardName, Guard>>
  arrivals: typeof onEnter
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
  arrivals: onEnter,
  effects,
  moves,
  onArrival,
  disputes,
  disputeGuards,
  disputeEffects,
  disputeMoves,
}
