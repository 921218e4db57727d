import { marketParams } from '@svc/protocol'
import { cardText as text } from '../../../text/card.ts'
import { createRowTools, listActs, message } from './rowTools.ts'
import type { CardAct, CardFacts, CardRow } from './types.ts'

const { sentences, clocks, buttons } = text

/** The rows of the worker and of the poster while there is a worker, outside of disputes. */
export function findRunningRow(facts: CardFacts): CardRow | null {
  if (facts.viewer === 'worker') return findWorkerRow(facts)
  return facts.viewer === 'poster' ? findPosterRow(facts) : null
}

function findWorkerRow(facts: CardFacts): CardRow | null {
  const { task, names, span, money, isUnread } = facts
  const { phase, deadlines, currentMilestone: current } = task
  const { poster } = names
  const time = span(task.milestones[0]?.durationSeconds ?? 0)
  const secondary = [message(poster)]
  const { act, left, until, wait, turn } = createRowTools(facts, { secondary })
  const deliver = (label: string) => act('submit-proof', label)
  switch (phase) {
    case 'AWAITING_FUNDS': {
      const clock = left(deadlines.funding, (rest) => clocks.locks(poster, rest))
      return wait('waiting', sentences.waitingLock(poster, time), clock)
    }
    case 'READY_TO_START': {
      const start = act('start-work', buttons.startNow)
      if (start) {
        const clock = left(deadlines.start, clocks.startLeft, clocks.afterStart)
        return turn('canStart', sentences.canStart(poster, time), clock, start)
      }
      const clock = left(deadlines.vet, (rest) => clocks.starts(poster, rest), clocks.startYourself)
      return wait('waiting', sentences.waiting(poster, time), clock)
    }
    case 'WORKING': {
      const clock = left(deadlines.milestone, clocks.left, clocks.deliver)
      const what = task.milestones.length > 1 ? task.text?.milestones[current] : undefined
      if (task.revisions > 0) {
        const again = deliver(buttons.deliverVersion(countVersions(facts) + 1))
        return turn('changes', sentences.changes(poster), clock, again)
      }
      if (current > 0) {
        const sentence = sentences.nextMilestone(money(BigInt(task.releasedTokWei)), what ?? text.labels.earn)
        return turn('nextMilestone', sentence, clock, deliver(buttons.deliverMilestone(current + 1)))
      }
      return turn('working', what ? sentences.working(what) : sentences.workingPlain, clock, deliver(buttons.deliver))
    }
    case 'UNDER_NOTICE': {
      const clock = left(deadlines.milestone, clocks.leftToDeliver, clocks.deliverNotice)
      return turn('notice', sentences.notice(poster), clock, deliver(buttons.deliver), {
        secondary: listActs(act('expire-task', buttons.close), ...secondary),
      })
    }
    case 'IN_REVIEW': {
      const isStored = task.store === null || task.receipted
      if (!isStored) {
        const clock = left(deadlines.review, clocks.left, () => clocks.notPaidNote(poster))
        const sentence = isUnread ? sentences.inReviewUnread(poster) : sentences.noReceipt
        return turn('noReceipt', sentence, clock, deliver(buttons.sendAgain), { isMine: !isUnread })
      }
      const sentence = isUnread ? sentences.inReviewUnread(poster) : sentences.inReview(poster)
      return wait('inReview', sentence, until(deadlines.review, clocks.paidBy, clocks.paidNote(poster)))
    }
    case 'RECEIPT_MISSING':
      return turn('noReceipt', sentences.noReceipt, left(findGraceEnd(facts), clocks.left), deliver(buttons.sendAgain))
    case 'OVERDUE':
      return wait('missed', sentences.missed)
    case 'SETTLED':
      if (task.state !== 'COMPLETED') return null
      return wait('paid', sentences.paid(money(BigInt(task.releasedTokWei))), null, {
        label: text.labels.earned,
        amount: BigInt(task.releasedTokWei),
        button: { do: 'link', label: buttons.findNext, href: '/tasks' },
        secondary: [
          ...(facts.canSwap
            ? [{ do: 'sell' as const, label: buttons.sell, amountTokWei: BigInt(task.releasedTokWei) }]
            : []),
          { do: 'share', label: buttons.share },
        ],
      })
    default:
      return null
  }
}

function findPosterRow(facts: CardFacts): CardRow | null {
  const { task, names, now, span, money, talk } = facts
  const { phase, deadlines } = task
  const { worker } = names
  const locked = money(BigInt(task.fundedTokWei) - BigInt(task.releasedTokWei) - BigInt(task.refundedTokWei))
  const pay = money(BigInt(task.totalAmountTokWei))
  const { act, left, until, wait, turn } = createRowTools(facts, { secondary: [message(worker)] })
  switch (phase) {
    case 'OPEN_FOR_CLAIM': {
      const clock = left(task.claimableUntil, clocks.open, (moment) => clocks.nobodyTakes(moment, pay))
      const invite: CardAct = { do: 'open', label: buttons.invite, tab: 'talk' }
      const count = talk?.applicants ?? 0
      if (count > 0) {
        return turn(
          'posterApplicants',
          sentences.posterApplicants(count),
          clock && { ...clock, title: clocks.leftToChoose(span((task.claimableUntil ?? now) - now)) },
          { do: 'open', label: buttons.review(count), tab: 'talk' },
          { secondary: [invite] },
        )
      }
      const secondary: CardAct[] = [{ do: 'share', label: buttons.share }]
      return wait('posterNobody', sentences.posterNobody, clock, { button: invite, secondary })
    }
    case 'CLAIM_CLOSED':
    case 'CLAIM_LAPSED':
      return turn('posterClosed', sentences.posterClosed, null, act('expire-task', buttons.moneyBack), {
        secondary: [],
      })
    case 'AWAITING_FUNDS': {
      const missing = money(BigInt(task.totalAmountTokWei) - BigInt(task.fundedTokWei))
      const clock = left(deadlines.funding, clocks.left, clocks.lockBy)
      const sentence = sentences.posterNotLocked(worker, missing)
      return turn('posterNotLocked', sentence, clock, act('fund-task', buttons.lock(missing)))
    }
    case 'READY_TO_START': {
      const clock = left(deadlines.vet ?? deadlines.start, clocks.startLeft, (moment) =>
        deadlines.vet === null ? clocks.afterStart(moment) : clocks.workerStarts(moment, worker),
      )
      const sentence = sentences.posterStart(worker, span(task.milestones[0]?.durationSeconds ?? 0))
      return turn('posterStart', sentence, clock, act('start-work', buttons.start))
    }
    case 'WORKING': {
      const clock = left(deadlines.milestone, clocks.due, (moment) => clocks.dueNote(moment, locked))
      return wait('posterWorking', sentences.posterWorking(worker), clock)
    }
    case 'UNDER_NOTICE': {
      const clock = until(deadlines.milestone, clocks.until, clocks.noticeNote(locked))
      return wait('posterNotice', sentences.posterNotice(worker), clock)
    }
    case 'IN_REVIEW':
    case 'REVIEW_LAPSED':
    case 'RECEIPT_MISSING': {
      const isStored = task.store === null || task.receipted
      const milestone = money(BigInt(task.milestones[task.currentMilestone]?.amountTokWei ?? 0))
      return turn(
        isStored ? 'posterReview' : 'posterNoReceipt',
        isStored ? sentences.posterReview(worker) : sentences.posterNoReceipt(worker),
        left(deadlines.review, clocks.left, (moment) =>
          isStored ? clocks.reviewNote(moment, worker) : clocks.deliverNotice(moment),
        ),
        act('accept-milestone', buttons.approve(milestone)),
        {
          isMine: phase === 'IN_REVIEW',
          secondary: listActs(act('request-revision', buttons.requestChanges), act('open-dispute', buttons.dispute)),
        },
      )
    }
    case 'OVERDUE':
      return turn('posterOverdue', sentences.posterOverdue(worker), null, act('expire-task', buttons.moneyBack))
    case 'SETTLED': {
      if (task.state !== 'COMPLETED') return null
      return wait('posterPaid', sentences.posterPaid(worker, BigInt(task.refundedTokWei) === 0n), null, {
        label: text.labels.paid,
        amount: BigInt(task.releasedTokWei),
        button: { do: 'link', label: buttons.postAnother, href: `/post?market=${task.market}` },
        secondary: [{ do: 'share', label: buttons.share }],
      })
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
