import { zeroAddress } from 'viem'
import { listNextSteps } from './nextSteps.ts'
import type { DisputeRecord } from './records/dispute.ts'
import type { TaskRecord } from './records/task.ts'
import { buildTaskContext } from './taskContext.ts'
import type { TaskId } from './taskId.ts'

/** An action that a party, or anyone, can take on a task now. */
export interface PendingAction {
  action: string
  by: 'poster' | 'worker' | 'anyone'
  /** The last moment for it, in unix seconds; null if it has no limit of its own. */
  until: number | null
}

/**
 * Lists what can happen to a task at `now` (unix seconds), by state and time alone. It does not check whether a wallet has
 * the deposit and the fee. Actions of arbitrators are not listed: the phase of the dispute shows them.
 */
export function listPendingActions(
  id: TaskId,
  task: TaskRecord,
  dispute: DisputeRecord | null,
  now: number,
): PendingAction[] {
  const context = buildTaskContext(id, task, dispute)
  const listSteps = (wallet: `0x${string}`) => listNextSteps(context, wallet, now)
  // The zero address has no role, so what it can do, anyone can do.
  const anyone = listSteps(zeroAddress)
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
