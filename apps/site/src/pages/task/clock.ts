import type { TaskDetailJson } from '@svc/client'
import { taskText } from '../../text/task.ts'
import type { Viewer } from './viewer.ts'

const { clocks, party } = taskText

/** The one clock of a task: when it ends, and what happens then. Without `to`, nothing is running. */
export interface TaskClock {
  to: number | null
  says: string
}

type ClockFacts = Pick<
  TaskDetailJson,
  | 'phase'
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
  const run = (to: number | null, says: (at: string) => string, over: string): TaskClock =>
    to !== null && now <= to ? { to, says: says(formatAt(to)) } : { to: null, says: over }
  switch (task.phase) {
    case 'OPEN_FOR_CLAIM':
      return run(task.claimableUntil, viewer === 'poster' ? clocks.claimOwn : clocks.claim, clocks.claimClosed)
    case 'CLAIM_CLOSED':
      return { to: null, says: clocks.claimClosed }
    case 'AWAITING_FUNDS':
      return run(deadlines.funding, viewer === 'poster' ? clocks.fundingOwn : clocks.funding, clocks.fundingOver)
    case 'READY_TO_START': {
      const { vet } = deadlines
      const isVetting = vet !== null && now <= vet
      return run(
        deadlines.start,
        (at) => (isVetting ? clocks.vet(formatAt(vet), at) : clocks.start(at)),
        clocks.startOver,
      )
    }
    case 'WORKING': {
      const number = task.currentMilestone + 1
      const says = viewer === 'worker' ? clocks.workingOwn : clocks.working
      return run(deadlines.milestone, (at) => says(number, at), clocks.overdue)
    }
    case 'OVERDUE':
      return { to: null, says: viewer === 'worker' ? clocks.overdueOwn : clocks.overdue }
    case 'IN_REVIEW':
      return task.store && !task.receipted
        ? run(
            deadlines.review,
            (at) => clocks.reviewNoReceipt(poster, at),
            clocks.receiptMissing(worker, formatAt(findGraceEnd(task))),
          )
        : run(deadlines.review, (at) => clocks.review(poster, at, worker), clocks.lapsed(worker))
    case 'REVIEW_LAPSED':
      return { to: null, says: clocks.lapsed(worker) }
    case 'RECEIPT_MISSING':
      return run(findGraceEnd(task), (at) => clocks.receiptMissing(worker, at), clocks.receiptOver)
    case 'IN_DISPUTE':
      return task.dispute && findDisputeClock(task.dispute, viewer, run, now, isTurn)
    case 'SETTLED':
      return null
  }
}

/** Without a receipt, the worker has one more review window. */
const findGraceEnd = ({ reviewEnd, reviewWindowSeconds }: ClockFacts) => (reviewEnd ?? 0) + reviewWindowSeconds

type Run = (to: number | null, says: (at: string) => string, over: string) => TaskClock

function findDisputeClock(
  dispute: NonNullable<TaskDetailJson['dispute']>,
  viewer: Viewer,
  run: Run,
  now: number,
  isTurn: boolean,
): TaskClock | null {
  const isParty = viewer === 'poster' || viewer === 'worker'
  const isHearing = dispute.phase === 'OPEN' || dispute.phase === 'EVIDENCE'
  if (isTurn && isParty && isHearing && dispute.evidenceEnd !== null && now <= dispute.evidenceEnd) {
    return run(dispute.evidenceEnd, clocks.evidenceOwn, clocks.rulingOver)
  }
  switch (dispute.phase) {
    case 'OPEN':
      return dispute.consentEnd !== null && now <= dispute.consentEnd
        ? run(dispute.consentEnd, clocks.consent, clocks.seatOver)
        : run(dispute.evidenceEnd, clocks.seat, clocks.seatOver)
    case 'EVIDENCE':
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
