import { marketParams } from '@svc/protocol'
import { cardText as text } from '../../../text/card.ts'
import type { CardAct, CardClock, CardFacts, CardRow } from './types.ts'

const { sentences, clocks, buttons } = text

/** The rows of the worker and of the poster while there is a worker, outside of disputes. */
export function findRunningRow(facts: CardFacts): CardRow | null {
  if (facts.viewer === 'worker') return findWorkerRow(facts)
  return facts.viewer === 'poster' ? findPosterRow(facts) : null
}

const act = ({ steps }: CardFacts, action: string, label: string): CardAct | null => {
  const step = steps.find((each) => each.action === action)
  return step ? { do: 'step', label, step } : null
}
const list = (...acts: (CardAct | null)[]): CardAct[] => acts.filter((each) => each !== null)
const message = (name: string): CardAct => ({ do: 'open', label: buttons.message(name), tab: 'talk' })

function findWorkerRow(facts: CardFacts): CardRow | null {
  const { task, names, now, at, span, money } = facts
  const { phase, deadlines, currentMilestone: current } = task
  const { poster } = names
  const time = span(task.milestones[0]?.durationSeconds ?? 0)
  const left = (to: number | null, title: (span: string) => string, note?: (at: string) => string): CardClock | null =>
    to === null || now > to ? null : { title: title(span(to - now)), note: note?.(at(to)), to }
  const what = task.milestones.length > 1 ? task.text?.milestones[current] : undefined
  const secondary = [message(poster)]
  const deliver = (label: string): Pick<CardRow, 'isMine' | 'button'> => ({
    isMine: true,
    button: act(facts, 'submit-proof', label),
  })
  switch (phase) {
    case 'AWAITING_FUNDS':
      return {
        state: 'waiting',
        sentence: sentences.waitingLock(poster, time),
        clock: left(deadlines.funding, (rest) => clocks.locks(poster, rest)),
        button: null,
        secondary,
      }
    case 'READY_TO_START': {
      const start = act(facts, 'start-work', buttons.startNow)
      if (start) {
        return {
          state: 'canStart',
          isMine: true,
          sentence: sentences.canStart(poster, time),
          clock: left(deadlines.start, clocks.startLeft, clocks.afterStart),
          button: start,
          secondary,
        }
      }
      return {
        state: 'waiting',
        sentence: sentences.waiting(poster, time),
        clock: left(deadlines.vet, (rest) => clocks.starts(poster, rest), clocks.startYourself),
        button: null,
        secondary,
      }
    }
    case 'WORKING': {
      const clock = left(deadlines.milestone, clocks.left, clocks.deliver)
      if (task.revisions > 0) {
        const label = buttons.deliverVersion(countVersions(facts) + 1)
        return { state: 'changes', sentence: sentences.changes(poster), clock, secondary, ...deliver(label) }
      }
      if (current > 0) {
        const earned = money(BigInt(task.releasedTokWei))
        const next = what ?? text.labels.earn
        const label = buttons.deliverMilestone(current + 1)
        return {
          state: 'nextMilestone',
          sentence: sentences.nextMilestone(earned, next),
          clock,
          secondary,
          ...deliver(label),
        }
      }
      const sentence = what ? sentences.working(what) : sentences.workingPlain
      return { state: 'working', sentence, clock, secondary, ...deliver(buttons.deliver) }
    }
    case 'UNDER_NOTICE':
      return {
        state: 'notice',
        sentence: sentences.notice(poster),
        clock: left(deadlines.milestone, clocks.leftToDeliver, clocks.deliverNotice),
        ...deliver(buttons.deliver),
        secondary: list(act(facts, 'expire-task', buttons.close), ...secondary),
      }
    case 'IN_REVIEW': {
      const isStored = task.store === null || task.receipted
      const to = deadlines.review
      if (!isStored) {
        return {
          state: 'noReceipt',
          sentence: facts.isUnread ? sentences.inReviewUnread(poster) : sentences.noReceipt,
          clock: left(to, clocks.left, () => clocks.notPaidNote(poster)),
          ...deliver(buttons.sendAgain),
          isMine: !facts.isUnread,
          secondary,
        }
      }
      return {
        state: 'inReview',
        sentence: facts.isUnread ? sentences.inReviewUnread(poster) : sentences.inReview(poster),
        clock: to === null || now > to ? null : { title: clocks.paidBy(at(to)), note: clocks.paidNote(poster), to },
        button: null,
        secondary,
      }
    }
    case 'RECEIPT_MISSING':
      return {
        state: 'noReceipt',
        sentence: sentences.noReceipt,
        clock: left(findGraceEnd(facts), clocks.left),
        ...deliver(buttons.sendAgain),
        secondary,
      }
    case 'OVERDUE':
      return { state: 'missed', sentence: sentences.missed, clock: null, button: null, secondary }
    case 'SETTLED':
      if (task.state !== 'COMPLETED') return null
      return {
        state: 'paid',
        label: text.labels.earned,
        amount: BigInt(task.releasedTokWei),
        sentence: sentences.paid(money(BigInt(task.releasedTokWei))),
        clock: null,
        button: { do: 'link', label: buttons.findNext, href: '/tasks' },
        secondary: [{ do: 'share', label: buttons.share }],
      }
    default:
      return null
  }
}

function findPosterRow(facts: CardFacts): CardRow | null {
  const { task, names, now, at, span, money, talk } = facts
  const { phase, deadlines } = task
  const { worker } = names
  const locked = money(BigInt(task.fundedTokWei) - BigInt(task.releasedTokWei) - BigInt(task.refundedTokWei))
  const pay = money(BigInt(task.totalAmountTokWei))
  const secondary = [message(worker)]
  const left = (to: number | null, title: (span: string) => string, note?: (at: string) => string): CardClock | null =>
    to === null || now > to ? null : { title: title(span(to - now)), note: note?.(at(to)), to }
  switch (phase) {
    case 'OPEN_FOR_CLAIM': {
      const clock = left(task.claimableUntil, clocks.open, (moment) => clocks.nobodyTakes(moment, pay))
      const invite: CardAct = { do: 'open', label: buttons.invite, tab: 'talk' }
      const count = talk?.applicants ?? 0
      if (count > 0) {
        return {
          state: 'posterApplicants',
          isMine: true,
          sentence: sentences.posterApplicants(count),
          clock: clock && { ...clock, title: clocks.leftToChoose(span((task.claimableUntil ?? now) - now)) },
          button: { do: 'open', label: buttons.review(count), tab: 'talk' },
          secondary: [invite],
        }
      }
      return {
        state: 'posterNobody',
        sentence: sentences.posterNobody,
        clock,
        button: invite,
        secondary: [{ do: 'share', label: buttons.share }],
      }
    }
    case 'CLAIM_CLOSED':
    case 'CLAIM_LAPSED':
      return {
        state: 'posterClosed',
        isMine: true,
        sentence: sentences.posterClosed,
        clock: null,
        button: act(facts, 'expire-task', buttons.moneyBack),
      }
    case 'AWAITING_FUNDS': {
      const missing = money(BigInt(task.totalAmountTokWei) - BigInt(task.fundedTokWei))
      return {
        state: 'posterNotLocked',
        isMine: true,
        sentence: sentences.posterNotLocked(worker, missing),
        clock: left(deadlines.funding, clocks.left, clocks.lockBy),
        button: act(facts, 'fund-task', buttons.lock(missing)),
        secondary,
      }
    }
    case 'READY_TO_START':
      return {
        state: 'posterStart',
        isMine: true,
        sentence: sentences.posterStart(worker, span(task.milestones[0]?.durationSeconds ?? 0)),
        clock: left(deadlines.vet ?? deadlines.start, clocks.startLeft, (moment) =>
          deadlines.vet === null ? clocks.afterStart(moment) : clocks.workerStarts(moment, worker),
        ),
        button: act(facts, 'start-work', buttons.start),
        secondary,
      }
    case 'WORKING':
      return {
        state: 'posterWorking',
        sentence: sentences.posterWorking(worker),
        clock: left(deadlines.milestone, clocks.due, (moment) => clocks.dueNote(moment, locked)),
        button: null,
        secondary,
      }
    case 'UNDER_NOTICE': {
      const to = deadlines.milestone
      return {
        state: 'posterNotice',
        sentence: sentences.posterNotice(worker),
        clock: to === null ? null : { title: clocks.until(at(to)), note: clocks.noticeNote(locked), to },
        button: null,
        secondary,
      }
    }
    case 'IN_REVIEW':
    case 'REVIEW_LAPSED':
    case 'RECEIPT_MISSING': {
      const isStored = task.store === null || task.receipted
      const milestone = money(BigInt(task.milestones[task.currentMilestone]?.amountTokWei ?? 0))
      return {
        state: isStored ? 'posterReview' : 'posterNoReceipt',
        isMine: phase === 'IN_REVIEW',
        sentence: isStored ? sentences.posterReview(worker) : sentences.posterNoReceipt(worker),
        clock: left(deadlines.review, clocks.left, (moment) =>
          isStored ? clocks.reviewNote(moment, worker) : clocks.deliverNotice(moment),
        ),
        button: act(facts, 'accept-milestone', buttons.approve(milestone)),
        secondary: list(
          act(facts, 'request-revision', buttons.requestChanges),
          act(facts, 'open-dispute', buttons.dispute),
        ),
      }
    }
    case 'OVERDUE':
      return {
        state: 'posterOverdue',
        isMine: true,
        sentence: sentences.posterOverdue(worker),
        clock: null,
        button: act(facts, 'expire-task', buttons.moneyBack),
        secondary,
      }
    case 'SETTLED':
      if (task.state !== 'COMPLETED') return null
      return {
        state: 'posterPaid',
        label: text.labels.paid,
        amount: BigInt(task.releasedTokWei),
        sentence: sentences.posterPaid(worker, BigInt(task.refundedTokWei) === 0n),
        clock: null,
        button: { do: 'link', label: buttons.postAnother, href: `/post?market=${task.market}` },
        secondary: [{ do: 'share', label: buttons.share }],
      }
    default:
      return null
  }
}

/** Which version of the current milestone was delivered last. */
const countVersions = ({ task: { timeline, currentMilestone } }: CardFacts): number =>
  timeline.filter(({ event, args }) => event === 'MilestoneDelivered' && Number(args.milestone) === currentMilestone)
    .length

/** Without a receipt, the worker has as much time again as for a notice. */
const findGraceEnd = ({ task: { market, reviewEnd, reviewWindowSeconds } }: CardFacts): number =>
  (reviewEnd ?? 0) + Math.max(reviewWindowSeconds, marketParams[market].minRevisionTime)
