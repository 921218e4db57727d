import { bps, exitPenalty, taskReserve } from '../../packages/protocol/src/amounts.ts'
import type { Effect, EntryEffect, Move } from '../../packages/protocol/src/lifecycle.ts'
import type { TaskDraft } from './draft.ts'
import {
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
import { amountOf, heldOf } from './world.ts'

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
  'engage worker': ({ world, task, s }) => {
    task.worker = s.call.worker
    task.claimedAt = world.now
    task.fundedAtClaim = task.funded === task.total
  },
  'start milestone': ({ world, task }) => {
    task.deadline = world.now + (task.terms.durations[task.current] ?? 0)
  },
  'start review': ({ world, task }) => {
    task.reviewEnd = world.now + task.terms.reviewWindow
  },
  'note receipt': ({ task, s }) => {
    task.receipted = s.call.receipt === 'valid'
  },
  'reopen milestone': ({ world, task }) => {
    const time = Math.max(task.terms.reviewWindow, world.params.minRevisionTime)
    task.deadline = Math.max(task.deadline, world.now + time)
    task.revisions += 1
    task.reviewEnd = 0
    task.receipted = false
  },
  'accept milestone': ({ world, task }) => {
    task.current += 1
    const duration = task.terms.durations[task.current]
    task.deadline = duration === undefined ? 0 : world.now + duration
    task.reviewEnd = 0
    task.revisions = 0
    task.receipted = false
  },
  'accept all': ({ task }) => {
    task.current = task.terms.amounts.length
  },
  'open case': ({ caller, s, perform }) => perform('open', 'registry', { opener: caller, shareBps: s.call.shareBps }),
  'concede case': ({ perform }) => perform('concede', 'registry', {}),
  'abandon case': ({ perform }) => perform('abandon', 'registry', {}),
  'note share': ({ task, s }) => {
    task.workerBps = s.call.workerBps
  },
  'note ruling': ({ task, s }) => {
    task.workerBps = s.call.workerBps
    task.ruled = true
  },
}

/** What each move of the lifecycle table does. */
export const moves: {
  readonly [M in Move['move']]: (draft: TaskDraft, move: Extract<Move, { move: M }>) => void
} = {
  fee: (draft, { of }) => payFee(draft.world, selectWallet(draft, of)),
  reserve: (draft, { of }) => reserveUpTo(draft.world, draft.task, selectWallet(draft, of), taskReserve),
  'lock exit deposit': (draft, { of }) => lockExitDeposit(draft.world, draft.task, selectWallet(draft, of)),
  'spend exit deposit': (draft, { of }) => spendExitDeposit(draft.world, draft.task, selectWallet(draft, of)),
  penalty: (draft, { of, what }) => {
    const amount = what === 'exit penalty' ? exitPenalty : taskReserve
    penalise(draft.world, draft.task, selectWallet(draft, of), 'treasury', amount)
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
    if (args.settlement?.posterForfeits) spendExitDeposit(world, task, task.poster)
    if (args.settlement?.workerForfeits) spendExitDeposit(world, task, selectWallet(draft, 'worker'))
    if (args.settlement?.court) releaseEscrow(world, task, args.settlement.court, courtShareOf(draft))
  },
}

/** What reaching a state does. */
export const onArrival: Readonly<Record<EntryEffect, (draft: TaskDraft) => void>> = {
  'let worker go': ({ world, task }) => {
    if (task.worker === null) return
    unreserve(world, task, task.worker)
    returnExitDeposit(world, task, task.worker)
  },
  'forget worker': ({ task }) => {
    task.worker = null
    task.claimedAt = 0
    task.fundedAtClaim = false
  },
  'restore poster': ({ world, task }) => {
    reserveUpTo(world, task, task.poster, taskReserve)
    if ((task.exitDeposits[task.poster] ?? 0n) === 0n) lockExitDeposit(world, task, task.poster)
  },
  'let poster go': ({ world, task }) => {
    unreserve(world, task, task.poster)
    returnExitDeposit(world, task, task.poster)
  },
  'refund held': ({ world, task }) => refundEscrow(world, task),
}
