import { zeroAddress } from 'viem'
import { nextSteps } from './nextSteps.ts'
import type { DisputeRecord } from './records/dispute.ts'
import type { TaskRecord } from './records/task.ts'
import { standingOf } from './standingOf.ts'
import type { TaskId } from './taskId.ts'

/** Something that a party, or anybody, can do with a task now. */
export interface PendingAction {
  action: string
  by: 'poster' | 'worker' | 'anyone'
  /** The last moment for it, in unix seconds; null when no limit of its own applies. */
  until: number | null
}

/**
 * What can happen to a task at `now`, by state and time alone: whether a wallet has the deposit and the fee for it is not
 * judged here. What arbitrators do to a dispute is told by its phase.
 */
export function pendingActions(
  id: TaskId,
  task: TaskRecord,
  dispute: DisputeRecord | null,
  now: number,
): PendingAction[] {
  const standing = standingOf(id, task, dispute)
  const stepsOf = (wallet: `0x${string}`) => nextSteps(standing, wallet, now)
  // The zero address calls nothing: what it may do, every stranger may.
  const anyone = stepsOf(zeroAddress)
  const open = new Set(anyone.map(({ action }) => action.name))
  const only = (wallet: `0x${string}` | null, by: PendingAction['by']) =>
    (wallet ? stepsOf(wallet) : [])
      .filter(({ action }) => !open.has(action.name))
      .map(({ action, until }): PendingAction => ({ action: action.name, by, until }))
  return [
    ...only(task.poster, 'poster'),
    ...only(task.worker, 'worker'),
    ...anyone.map(({ action, until }): PendingAction => ({ action: action.name, by: 'anyone', until })),
  ]
}
