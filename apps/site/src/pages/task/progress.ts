import type { TaskDetailJson } from '@svc/client'
import { taskText } from '../../text/task.ts'

const labels = taskText.steps

/** The steps of a task's life and the one it is at. A number past the end means that all are done. */
export interface Progress {
  steps: readonly string[]
  at: number
  isLoss: boolean
}

type ProgressFacts = Pick<TaskDetailJson, 'phase' | 'state' | 'scope'> & {
  timeline: readonly { event: string }[]
}

/** Finds where a task stands. Ends other than payment are shown as what they are. */
export function getProgress(task: ProgressFacts): Progress {
  // A private task begins with its worker: nobody had to claim it.
  const begun = task.scope === 'PRIVATE' ? [labels.agreed] : [labels.open, labels.claimed]
  const usual = [...begun, labels.working, labels.review, labels.paid]
  const disputed = [...begun, labels.working, labels.dispute, labels.resolved]
  const claimedAt = begun.length - 1
  const on = (steps: readonly string[], at: number, isLoss = false): Progress => ({ steps, at, isLoss })
  switch (task.phase) {
    case 'OPEN_FOR_CLAIM':
      return on(usual, 0)
    case 'CLAIM_CLOSED':
      return on([labels.open, labels.closed], 1)
    case 'AWAITING_FUNDS':
    case 'READY_TO_START':
      return on(usual, claimedAt)
    case 'CLAIM_LAPSED':
      return on([...begun, labels.lapsed], claimedAt + 1, true)
    case 'WORKING':
    case 'UNDER_NOTICE':
      return on(usual, claimedAt + 1)
    case 'OVERDUE':
      return on([...begun, labels.working, labels.overdue], claimedAt + 2, true)
    case 'IN_REVIEW':
    case 'REVIEW_LAPSED':
    case 'RECEIPT_MISSING':
      return on(usual, claimedAt + 2)
    case 'IN_DISPUTE':
      return on(disputed, claimedAt + 2)
    case 'SETTLED':
      break
  }
  if (task.state === 'COMPLETED') return on(usual, usual.length)
  if (task.state === 'RESOLVED') return on(disputed, disputed.length)
  const steps = [...listReached(task), task.state === 'CANCELLED' ? labels.cancelled : labels.expired]
  return on(steps, steps.length - 1)
}

/** The steps that a task took before it ended early, by its events. */
function listReached({ scope, timeline }: ProgressFacts): string[] {
  const last = (...names: string[]) => timeline.findLastIndex(({ event }) => names.includes(event))
  // Whoever left or was removed before the start does not count any more.
  const isClaimed = last('TaskClaimed') > last('WorkerDismissed', 'WorkerLeft') || last('TaskActivated') >= 0
  return [
    ...(scope === 'PRIVATE' ? [labels.agreed] : [labels.open, ...(isClaimed ? [labels.claimed] : [])]),
    ...(last('TaskActivated') >= 0 ? [labels.working] : []),
  ]
}
