import { zeroAddress } from 'viem'
import type { DisputeRecord } from '../records/dispute.ts'
import type { TaskRecord, TaskSnapshot } from '../records/task.ts'
import { type DisputeGuard, disputeGuards } from '../tasks/disputes.ts'
import { type Guard, guards } from '../tasks/guards.ts'
import { buildTaskContext } from '../tasks/taskContext.ts'
import type { TaskId } from '../tasks/taskId.ts'
import { buildDisputeSituation, buildSituation, listNextSteps } from './nextSteps.ts'

/** An action that a party, or anyone, can take on a task now. */
export interface PendingAction {
  action: string
  by: 'poster' | 'worker' | 'anyone'
  /** The last moment for it, in unix seconds; null if it has no limit of its own. */
  until: number | null
}

/**
 * Lists what can happen to a task at `now` (unix seconds), by state and time. It does not check whether the acting wallet has
 * the deposit and the fee. Actions of arbitrators are not listed: the phase of the dispute shows them.
 */
export function listPendingActions(
  id: TaskId,
  task: TaskSnapshot,
  dispute: DisputeRecord | null,
  now: number,
): PendingAction[] {
  const context = buildTaskContext(id, task, dispute)
  const listSteps = (wallet: `0x${string}`) => listNextSteps(context, wallet, now)
  // The zero address has no role, so what it can do, anyone can do.
  const anyone = listSteps(zeroAddress).filter(
    ({ action }) => action.name !== 'claim-task' || now <= task.claimableUntil,
  )
  const open = new Set(anyone.map(({ action }) => action.name))
  const only = (wallet: `0x${string}` | null, by: PendingAction['by']) =>
    (wallet ? listSteps(wallet) : [])
      .filter(({ action }) => !open.has(action.name))
      .map(({ action, until }): PendingAction => ({ action: action.name, by, until }))
  return [
    ...only(task.poster, 'poster'),
    ...only(task.worker, 'worker'),
    ...anyone.map(({ action, until }): PendingAction => ({ action: action.name, by: 'anyone', until })),
  ]
}

/**
 * Finds the last second up to which nothing about a task changes by time alone: the earliest moment from `now` on that a guard
 * of either table compares with. Returns null if only an event can change it.
 */
export function findNextMoment(
  id: TaskId,
  task: TaskRecord,
  dispute: DisputeRecord | null,
  now: number,
): number | null {
  const context = buildTaskContext(id, task, dispute)
  const callers = [task.poster, task.worker ?? zeroAddress]
  const moments = callers.flatMap((caller) => [
    ...listMoments(Object.values<Guard>(guards), buildSituation(context, caller, now, {})),
    ...(dispute
      ? listMoments(Object.values<DisputeGuard>(disputeGuards), buildDisputeSituation(context, caller, now, {}))
      : []),
  ])
  const next = Math.min(...moments.filter((moment) => moment >= now))
  return Number.isFinite(next) ? next : null
}

const listMoments = <S>(all: readonly { until?: (s: S) => number; after?: (s: S) => number }[], s: S): number[] =>
  all.flatMap(({ until, after }) => [until?.(s) ?? [], after?.(s) ?? []].flat())
