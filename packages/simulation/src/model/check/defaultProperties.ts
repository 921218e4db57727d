import { bps } from '@svc/protocol/internal/money'
import type { Args, Call } from '../facts.ts'
import { amountOf, finalCourt, type Task, type World } from '../world.ts'
import { nextJudge } from './adversary.ts'
import { hasOpenCase, type Property } from './property.ts'
import { requireTask, taskId } from './scenarios.ts'

/** Whether the poster could have opened the delivery, as far as the terms ask for proof of it; said apart from the tables. */
const isPayable = ({ terms, receipted }: Task): boolean => terms.store === null || receipted

const silencePays: Property = {
  name: '5 delivered and a silent poster means paid',
  edge: ({ before: was, after: is, actor, call }) => {
    const [before, after] = [requireTask(was), requireTask(is)]
    if (actor === 'both') return []
    const paid = after.released - before.released
    const worth = amountOf(before, before.current)
    const inReview = before.state === 'ACTIVE' && before.reviewEnd !== 0 && isPayable(before)
    const isOver = after.state !== 'ACTIVE' && after.state !== 'DISPUTED'
    const reopened = after.state === 'ACTIVE' && after.reviewEnd === 0
    const { dispute } = before
    const unheard = call.operation === 'resolveTimedOut' && after.state === 'RESOLVED' && !dispute.ruled
    return [
      inReview && isOver && paid < worth && `${call.operation} ended delivered work and paid ${paid} of ${worth}`,
      inReview && reopened && actor !== 'poster' && paid < worth && `${call.operation} took a delivery back`,
      unheard &&
        dispute.openedByPoster &&
        paid < (worth * dispute.askBps) / bps &&
        'nobody heard the poster, and the worker got less than it asked for',
    ]
  },
}

const silenceHadReceipt: Property = {
  name: '17 a milestone paid by silence had a receipt, or no store in its terms',
  edge: ({ before: was, after: is, call }) => {
    const [before, after] = [requireTask(was), requireTask(is)]
    if (before.terms.store === null) return []
    const { ending, openedByPoster } = after.dispute
    const unheard = before.state === 'DISPUTED' && ending === 'TIMED_OUT' && openedByPoster
    const bySilence = call.operation === 'releaseLapsed' || unheard
    const receipted = before.state === 'ACTIVE' && after.receipted && !before.receipted
    const brought = call.args?.receipt === 'valid'
    return [
      bySilence && after.released > before.released && !before.receipted && 'silence paid without a receipt',
      receipted && !brought && 'a delivery counts as received that no store signed for',
      receipted && after.reviewEnd < is.now + before.terms.reviewWindow && 'a receipt left less than a whole review',
      call.operation === 'markDelivered' && after.receipted && !brought && 'an older receipt counts for a new delivery',
    ]
  },
}

/** A wait: until its limit the duty can be done, after it the default, by anyone; and no other default ever. */
interface Wait {
  until: number
  duties: readonly Duty[]
  byDefault: (typeof defaults)[number]
}

interface Duty {
  operation: string
  caller: string
  args?: Args
  /** If not the limit of the wait. */
  until?: number
  /** Reasons other than time for which even a dutiful caller may be refused. */
  unless?: readonly string[]
}

/** The waits as the design has them, said apart from the tables. */
function findWait(world: World, task: Task): Wait | null {
  const { params, now } = world
  switch (task.state) {
    case 'POSTED':
      return {
        until: task.terms.claimDeadline - params.claimCutoff,
        duties: [{ operation: 'claim', caller: 'worker', args: { permitted: true }, unless: [...poverty, ...pause] }],
        byDefault: 'expire',
      }
    case 'CLAIMED': {
      const missing = task.total - task.funded
      const fund = [{ operation: 'fund', caller: 'poster', args: { amount: missing }, unless: poverty }]
      const vetting = now <= task.claimedAt + params.vetWindow
      const activate = [
        { operation: 'activate', caller: 'poster' },
        { operation: 'activate', caller: 'worker', unless: vetting ? ['VetWindowOpen'] : [] },
      ]
      return {
        until: task.claimedAt + params.fundingWindow,
        duties: [
          ...(missing > 0n ? fund : activate),
          { operation: 'leaveTask', caller: 'worker' },
          { operation: 'dismiss', caller: 'poster', unless: poverty },
        ],
        byDefault: 'expire',
      }
    }
    case 'ACTIVE':
      return findWorkWait(world, task)
    case 'DISPUTED':
      return findDisputeWait(task, now)
    default:
      return null
  }
}

function findWorkWait({ params, now }: World, task: Task): Wait {
  const { deadline, reviewEnd, underNotice } = task
  if (reviewEnd === 0) {
    const ending = [
      { operation: 'dismiss', caller: 'poster' },
      { operation: 'leaveTask', caller: 'worker' },
    ]
    const duties = [{ operation: 'markDelivered', caller: 'worker' }, ...(underNotice ? [] : ending)]
    return { until: deadline, duties, byDefault: 'expire' }
  }
  if (isPayable(task)) {
    return {
      until: reviewEnd,
      duties: [
        { operation: 'requestRevision', caller: 'poster', unless: ['NoRevisionsLeft', 'UnderNotice'] },
        { operation: 'openDispute', caller: 'poster', unless: poverty },
      ],
      byDefault: 'releaseLapsed',
    }
  }
  const inReview = now <= reviewEnd
  return {
    until: reviewEnd + Math.max(task.terms.reviewWindow, params.minRevisionTime),
    duties: [
      { operation: 'markDelivered', caller: 'worker', args: { receipt: 'valid' } },
      { operation: 'openDispute', caller: 'worker', unless: inReview ? ['ReviewNotEnded'] : [] },
    ],
    byDefault: 'expire',
  }
}

function findDisputeWait(task: Task, now: number): Wait {
  const { dispute } = task
  const { consentEnd, evidenceEnd, rulingEnd, ruled } = dispute
  // Before the evidence has ended the duty is the parties'.
  const unheard = now <= evidenceEnd ? ['EvidenceWindowOpen'] : []
  const speech = ['poster', 'worker'].map((caller) => ({ operation: 'submitEvidence', caller, until: evidenceEnd }))
  switch (dispute.phase) {
    case 'OPEN': {
      const propose = { operation: 'propose', caller: 'poster', args: { arbitrator: nextJudge(task) } }
      return { until: consentEnd, duties: [propose, ...speech], byDefault: 'resolveTimedOut' }
    }
    case 'EVIDENCE': {
      const judge = { caller: dispute.judge ?? '', until: rulingEnd }
      const stepDown = { operation: 'stepDown', ...judge }
      if (!dispute.posterSpoke || !dispute.workerSpoke) {
        return { until: evidenceEnd, duties: [stepDown, ...speech], byDefault: 'resolveTimedOut' }
      }
      const rule = { operation: 'resolve', ...judge, unless: unheard }
      return { until: rulingEnd, duties: [rule, stepDown, ...speech], byDefault: 'resolveTimedOut' }
    }
    case 'RULED': {
      const caller = dispute.forWorker ? 'poster' : 'worker'
      const duties = [{ operation: 'escalate', caller, unless: caller === 'poster' ? poverty : [] }]
      return { until: dispute.appealEnd, duties, byDefault: 'finalize' }
    }
    default: {
      const decide = { operation: 'decide', caller: finalCourt, unless: unheard }
      return { until: dispute.courtEnd, duties: [decide, ...(ruled ? [] : speech)], byDefault: 'resolveTimedOut' }
    }
  }
}

export const poverty = ['InsufficientDeposit', 'DepositTooLow', 'ERC20InsufficientBalance'] as const
const pause = ['EnforcedPause'] as const
/** What ends a wait, called by anyone. */
const defaults = ['expire', 'releaseLapsed', 'finalize', 'resolveTimedOut'] as const

const oneDefault: Property = {
  name: '7 at every moment one default or one duty applies, never both and never none',
  world: (world, attempt) => {
    const task = requireTask(world)
    const findError = (call: Omit<Call, 'taskId'>): string | null => {
      const outcome = attempt({ ...call, taskId })
      return 'error' in outcome ? outcome.error : null
    }
    const open = defaults.filter((operation) => findError({ operation, caller: 'stranger' }) === null)
    const wait = findWait(world, task)
    if (!wait) return [open.length > 0 && `${open.join(' and ')} of a task that is over`]
    const due = world.now > wait.until ? [wait.byDefault] : []
    const isLate = ({ until = wait.until }: Duty) => world.now > until
    const dead = wait.duties.filter((duty) => !isLate(duty) && !isDone(duty, findError(duty)))
    const late = wait.duties.filter((duty) => isLate(duty) && findError(duty) === null)
    return [
      open.join() !== due.join() && `defaults open: ${open.join() || 'none'}, due: ${due.join() || 'none'}`,
      dead.length > 0 && `in time, but refused: ${dead.map(({ operation }) => operation).join()}`,
      late.length > 0 && `too late, but accepted: ${late.map(({ operation }) => operation).join()}`,
      hasOpenCase(task) !== (task.state === 'DISPUTED') && 'a case is open while the task is not in dispute',
    ]
  },
}

const isDone = ({ unless = [] }: Duty, error: string | null): boolean => error === null || unless.includes(error)

/** What costs the caller its own money or lets somebody new in; only these may be refused for want of money. */
const paidByTheCaller = ['fund', 'claim', 'dismiss', 'escalate', 'withdrawDeposit']
const isPaidByTheCaller = ({ operation, caller }: Call): boolean =>
  paidByTheCaller.includes(operation) || (operation === 'openDispute' && caller === 'poster')

const neverBlocked: Property = {
  name: '10 a paused or penniless account never blocks the other side',
  refusal: ({ world, call, error }) => [
    poverty.some((name) => name === error) &&
      !isPaidByTheCaller(call) &&
      `${call.operation} by ${call.caller} was refused for want of money`,
    error === 'EnforcedPause' &&
      (requireTask(world).state !== 'POSTED' || !['claim', 'fund'].includes(call.operation)) &&
      `${call.operation} was refused by the pause`,
  ],
}

const bothHeard: Property = {
  name: '19 whoever rules names the case, after the evidence has ended, and a judge has heard both sides',
  edge: ({ before, call: { operation, args } }) => {
    if (operation !== 'resolve' && operation !== 'decide') return []
    const { number, evidenceEnd, posterSpoke, workerSpoke } = requireTask(before).dispute
    return [
      before.now <= evidenceEnd && `${operation} while evidence can still come in`,
      operation === 'resolve' && !(posterSpoke && workerSpoke) && 'a judge ruled against a silent party',
      (args?.number ?? number) !== number && `${operation} of another case`,
    ]
  },
}

/** What belongs to a worker, of its wallet and its deposit. */
const ofWorker = ({ tok, deposits }: World, { exitDeposits }: Task): readonly (bigint | undefined)[] => [
  (tok.worker ?? 0n) + (exitDeposits.worker ?? 0n),
  deposits.worker,
]

const noticeIsFree: Property = {
  name: '20 a notice leaves time to deliver, costs the worker nothing and ends the work',
  world: (world, attempt) => {
    const { state, underNotice, reviewEnd } = requireTask(world)
    if (state !== 'ACTIVE' || !underNotice || reviewEnd !== 0) return []
    return ['error' in attempt({ operation: 'expire', caller: 'worker', taskId }) && 'the worker has to wait']
  },
  edge: ({ before: was, after: is, call: { operation } }) => {
    const [before, after] = [requireTask(was), requireTask(is)]
    const { now, params } = was
    if (before.state !== 'ACTIVE') return []
    const gives = operation === 'dismiss'
    const ends = operation === 'expire' && before.underNotice && before.reviewEnd === 0
    const time = before.revisions > 0 ? params.maxReviewWindow : params.minRevisionTime
    const isFree = ofWorker(was, before).join() === ofWorker(is, after).join()
    return [
      gives && before.reviewEnd !== 0 && 'a notice took a delivery back',
      gives && after.deadline < Math.min(before.deadline, now + time) && 'a notice left too little time',
      (gives || ends) && !isFree && 'the worker paid for a notice',
      operation === 'requestRevision' && before.underNotice && 'work goes on after a notice',
      before.underNotice && after.current > before.current && after.state === 'ACTIVE' && 'another milestone started',
    ]
  },
}

const allowedOnce: Property = {
  name: '21 whom the poster allows to claim does so once, and nobody else',
  world: (world) => {
    const { worker, allowedWorker } = requireTask(world)
    return [worker !== null && allowedWorker !== null && 'an allowance outlived a claim']
  },
  edge: ({ before, call: { operation, caller, args } }) => {
    const { terms, allowedWorker } = requireTask(before)
    if (operation !== 'claim' || terms.claimPolicy !== 'PERMIT' || args?.permitted) return []
    return [allowedWorker !== caller && `${caller} claimed without a permit`]
  },
}

/** What the check asks of time, silence and order. */
export const defaultProperties = [
  silencePays,
  oneDefault,
  neverBlocked,
  silenceHadReceipt,
  bothHeard,
  noticeIsFree,
  allowedOnce,
] as const
