import { entryDeposit, taskReserve } from '@svc/protocol'
import { bps, lapsePenalty } from '@svc/protocol/internal/money'
import { type Effect, type EntryEffect, type Move, noticeTime } from '@svc/protocol/internal/tasks'
import type { Play, TaskDraft } from './draft.ts'
import {
  forfeitExitDeposit,
  fundEscrow,
  lockExitDeposit,
  payFee,
  penalise,
  refundEscrow,
  releaseEscrow,
  reserveUpTo,
  returnExitDeposit,
  spendExitDeposit,
  unreserve,
} from './money.ts'
import { amountOf, finalCourt, heldOf } from './world.ts'

type Party = 'poster' | 'worker'

const selectWallet = ({ task }: TaskDraft, party: Party): string =>
  party === 'poster' ? task.poster : (task.worker ?? '')

/** What a ruling pays out of the milestone before it is divided. */
const courtShareOf = ({ args }: TaskDraft): bigint => args.settlement?.courtShare ?? 0n

/** What each effect of the lifecycle table does. */
export const effects: Readonly<Record<Effect, (draft: TaskDraft) => void>> = {
  'store terms': ({ world, task }) => {
    world.tasks = [...world.tasks, task]
  },
  'allow worker': ({ task, s }) => {
    task.allowedWorker = s.call.worker
  },
  'engage worker': ({ world, task, s }) => {
    task.worker = s.call.worker
    task.allowedWorker = null
    task.claimedAt = world.now
    task.fundedAtClaim = task.funded === task.total
  },
  'start milestone': ({ world, task, caller }) => {
    const isSurprise = caller === task.poster && world.now > task.claimedAt + world.params.vetWindow
    const duration = task.terms.durations[task.current] ?? 0
    task.deadline = world.now + (isSurprise ? Math.max(duration, world.params.minRevisionTime) : duration)
  },
  'give notice': ({ world, task }) => {
    const time = task.revisions === 0 ? noticeTime(task.terms, world.params) : world.params.maxReviewWindow
    task.deadline = Math.min(task.deadline, world.now + time)
    task.underNotice = true
  },
  'start review': ({ world, task }) => {
    task.reviewEnd = world.now + (task.underNotice ? noticeTime(task.terms, world.params) : task.terms.reviewWindow)
  },
  'record receipt': ({ task, s }) => {
    task.receipted = s.call.receipt === 'valid'
  },
  'reopen milestone': ({ world, task }) => {
    task.deadline = Math.max(task.deadline, world.now + noticeTime(task.terms, world.params))
    task.revisions += 1
    task.reviewEnd = 0
    task.receipted = false
  },
  'accept milestone': ({ world, task }) => {
    task.current += 1
    const duration = task.underNotice ? undefined : task.terms.durations[task.current]
    task.deadline = duration === undefined ? 0 : world.now + duration
    task.reviewEnd = 0
    task.revisions = 0
    task.receipted = false
  },
  'accept all': ({ task }) => {
    task.current = task.terms.amounts.length
  },
  'open case': ({ caller, s, perform }) => perform('open', 'registry', { opener: caller, shareBps: s.call.shareBps }),
  'raise reserve': ({ world, task }) => reserveUpTo(world, task, task.poster, entryDeposit),
  'concede case': ({ perform }) => perform('concede', 'registry', {}),
  'abandon case': ({ perform }) => perform('abandon', 'registry', {}),
  'record share': ({ task, s }) => {
    task.workerBps = s.call.workerBps
  },
  'record ruling': ({ task, s }) => {
    task.workerBps = s.call.workerBps
    task.ruled = true
  },
}

/** What each move of the lifecycle table does. */
export const moves: {
  readonly [M in Move['move']]: Play<TaskDraft, Extract<Move, { move: M }>>
} = {
  fee: (draft, { of }) => payFee(draft.world, selectWallet(draft, of)),
  reserve: (draft, { of }) => reserveUpTo(draft.world, draft.task, selectWallet(draft, of), taskReserve),
  'lock exit deposit': (draft, { of }) => lockExitDeposit(draft.world, draft.task, selectWallet(draft, of)),
  'spend exit deposit': (draft, { of }) => spendExitDeposit(draft.world, draft.task, selectWallet(draft, of)),
  forfeit: (draft, { of }) => {
    penalise(draft.world, draft.task, selectWallet(draft, of), 'treasury', lapsePenalty)
    forfeitExitDeposit(draft.world, draft.task, selectWallet(draft, of))
  },
  fund: ({ world, task, s }) => fundEscrow(world, task, s.call.amount),
  pay: (draft, { what }) => {
    const { world, task, before, s } = draft
    const milestone = amountOf(before, before.current)
    const held = heldOf(before)
    const amount = {
      milestone,
      held,
      'share of milestone': ((milestone - courtShareOf(draft)) * s.call.workerBps) / bps,
      'share of held': (held * s.call.workerBps) / bps,
    }[what]
    releaseEscrow(world, task, selectWallet(draft, 'worker'), amount)
  },
  'court costs': (draft) => {
    const { world, task, args } = draft
    if (args.settlement?.loser) forfeitExitDeposit(world, task, args.settlement.loser)
    if (courtShareOf(draft) > 0n) releaseEscrow(world, task, finalCourt, courtShareOf(draft))
  },
}

/** What reaching a state does. */
export const onArrival: Readonly<Record<EntryEffect, (draft: TaskDraft) => void>> = {
  'release worker': ({ world, task }) => {
    if (task.worker === null) return
    unreserve(world, task, task.worker)
    returnExitDeposit(world, task, task.worker)
  },
  'clear worker': ({ task }) => {
    task.worker = null
    task.claimedAt = 0
    task.fundedAtClaim = false
  },
  'restore poster': ({ world, task }) => {
    if ((task.exitDeposits[task.poster] ?? 0n) === 0n) lockExitDeposit(world, task, task.poster)
  },
  'release poster': ({ world, task }) => {
    unreserve(world, task, task.poster)
    returnExitDeposit(world, task, task.poster)
  },
  'refund held': ({ world, task }) => refundEscrow(world, task),
}
