import type { TaskDetailJson } from '@svc/client'
import { marketParams } from '@svc/protocol'
import { taskText } from '../../text/task.ts'
import type { Viewer } from './viewer.ts'

const { clocks, party } = taskText

/** The one clock of a task: when it ends, and what happens then. Without `to`, nothing is running. */
export interface TaskClock {
  to: number | null
  label: string
}

type ClockFacts = Pick<
  TaskDetailJson,
  | 'phase'
  | 'market'
  | 'claimableUntil'
  | 'deadlines'
  | 'currentMilestone'
  | 'store'
  | 'receipted'
  | 'reviewEnd'
  | 'reviewWindowSeconds'
  | 'dispute'
>

/** Finds the clock that runs for a task at `now`, told to the one who looks and whose turn it may be. Null if the task has ended. */
export function findClock(
  task: ClockFacts,
  viewer: Viewer,
  now: number,
  formatAt: (at: number) => string,
  isTurn = false,
): TaskClock | null {
  const { deadlines } = task
  const poster = viewer === 'poster' ? party.you : party.poster
  const worker = viewer === 'worker' ? party.you : party.worker
  /** A clock that has run out says so: it does not run on. */
  const run = (to: number | null, label: (at: string) => string, over: string): TaskClock =>
    to !== null && now <= to ? { to, label: label(formatAt(to)) } : { to: null, label: over }
  switch (task.phase) {
    case 'OPEN_FOR_CLAIM':
      return run(task.claimableUntil, viewer === 'poster' ? clocks.claimOwn : clocks.claim, clocks.claimClosed)
    case 'CLAIM_CLOSED':
      return { to: null, label: clocks.claimClosed }
    case 'AWAITING_FUNDS':
      return run(deadlines.funding, viewer === 'poster' ? clocks.fundingOwn : clocks.funding, clocks.claimLapsed)
    case 'READY_TO_START': {
      const { vet } = deadlines
      const isVetting = vet !== null && now <= vet
      return run(
        deadlines.start,
        (at) => (isVetting ? clocks.vet(formatAt(vet), at) : clocks.start(at)),
        clocks.claimLapsed,
      )
    }
    case 'CLAIM_LAPSED':
      return { to: null, label: clocks.claimLapsed }
    case 'WORKING': {
      const number = task.currentMilestone + 1
      const label = viewer === 'worker' ? clocks.workingOwn : clocks.working
      return run(deadlines.milestone, (at) => label(number, at), clocks.overdue)
    }
    case 'UNDER_NOTICE':
      return run(deadlines.milestone, viewer === 'worker' ? clocks.noticeOwn : clocks.notice, clocks.overdue)
    case 'OVERDUE':
      return { to: null, label: viewer === 'worker' ? clocks.overdueOwn : clocks.overdue }
    case 'IN_REVIEW':
      return task.store && !task.receipted
        ? run(
            deadlines.review,
            (at) => clocks.reviewNoReceipt(poster, at),
            clocks.receiptMissing(worker, formatAt(findGraceEnd(task))),
          )
        : run(deadlines.review, (at) => clocks.review(poster, at, worker), clocks.lapsed(worker))
    case 'REVIEW_LAPSED':
      return { to: null, label: clocks.lapsed(worker) }
    case 'RECEIPT_MISSING':
      return run(findGraceEnd(task), (at) => clocks.receiptMissing(worker, at), clocks.receiptOver)
    case 'IN_DISPUTE':
      return task.dispute && findDisputeClock(task.dispute, viewer, run, now, isTurn)
    case 'SETTLED':
      return null
  }
}

/** Without a receipt, the worker has as much time again as for a notice. */
const findGraceEnd = ({ market, reviewEnd, reviewWindowSeconds }: ClockFacts) =>
  (reviewEnd ?? 0) + Math.max(reviewWindowSeconds, marketParams[market].minRevisionTime)

type Run = (to: number | null, label: (at: string) => string, over: string) => TaskClock

function findDisputeClock(
  dispute: NonNullable<TaskDetailJson['dispute']>,
  viewer: Viewer,
  run: Run,
  now: number,
  isTurn: boolean,
): TaskClock | null {
  const isParty = viewer === 'poster' || viewer === 'worker'
  const isHearing = now <= (dispute.evidenceEnd ?? 0)
  if (isTurn && isParty && isHearing) return run(dispute.evidenceEnd, clocks.evidenceOwn, clocks.rulingOver)
  switch (dispute.phase) {
    case 'OPEN':
      return run(dispute.consentEnd, clocks.consent, clocks.consentOver)
    case 'EVIDENCE':
      // A judge rules only if both sides have spoken, and not before they are done.
      if (isHearing || !dispute.posterSpoke || !dispute.workerSpoke) {
        return run(dispute.evidenceEnd, clocks.evidence, clocks.partySilent)
      }
      return run(
        dispute.rulingEnd,
        (at) => clocks.ruling(viewer === 'judge' ? party.you : party.judge, at),
        clocks.rulingOver,
      )
    case 'RULED': {
      const loser = dispute.ruledFor === 'worker' ? 'poster' : 'worker'
      return run(
        dispute.appealEnd,
        (at) => clocks.appeal(viewer === loser ? party.you : party[loser], at),
        clocks.appealOver,
      )
    }
    case 'COURT':
      return run(dispute.courtEnd, (at) => clocks.court(at, dispute.ruledFor !== null), clocks.courtOver)
    default:
      return null
  }
}
