import { bps, exitPenalty, taskReserve } from '../../packages/protocol/src/amounts.ts'
import type { Effect, EntryEffect, Move } from '../../packages/protocol/src/lifecycle.ts'
import type { TaskDraft } from './draft.ts'
import { fundEscrow, payFee, penalise, refundEscrow, releaseEscrow, reserveUpTo, unreserve } from './money.ts'
import { amountOf, heldOf, type World } from './world.ts'

type Party = 'poster' | 'worker'

const selectWallet = ({ task }: TaskDraft, party: Party): string =>
  party === 'poster' ? task.poster : (task.worker ?? '')

function addClaim(world: World, worker: string, count: number): void {
  world.liveClaims = { ...world.liveClaims, [worker]: (world.liveClaims[worker] ?? 0) + count }
}

/** What each effect of the lifecycle table does. */
export const effects: Readonly<Record<Effect, (draft: TaskDraft) => void>> = {
  'store terms': ({ world, task }) => {
    world.tasks = [...world.tasks, task]
  },
  'engage worker': ({ world, task, s }) => {
    task.worker = s.call.worker
    task.claimedAt = world.now
    addClaim(world, task.worker, 1)
  },
  'start milestone': ({ world, task }) => {
    task.deadline = world.now + (task.terms.durations[task.current] ?? 0)
  },
  'start review': ({ world, task }) => {
    task.reviewEnd = world.now + task.terms.reviewWindow
  },
  'reopen milestone': ({ world, task }) => {
    task.deadline = Math.max(task.deadline, world.now + task.terms.reviewWindow)
    task.revisions += 1
    task.reviewEnd = 0
  },
  'accept milestone': ({ world, task }) => {
    task.current += 1
    const duration = task.terms.durations[task.current]
    task.deadline = duration === undefined ? 0 : world.now + duration
    task.reviewEnd = 0
    task.revisions = 0
  },
  'accept all': ({ task }) => {
    task.current = task.terms.amounts.length
  },
  'open case': ({ task, caller, perform }) => {
    perform('open', 'registry', { arbitrator: task.terms.arbitrator, opener: caller })
  },
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
  penalty: (draft, { of, to }) => {
    const receiver = to === 'treasury' ? to : selectWallet(draft, to)
    penalise(draft.world, draft.task, selectWallet(draft, of), receiver, exitPenalty)
  },
  'penalty for missing funds': (draft) => {
    if (draft.task.funded === draft.task.total) return
    penalise(draft.world, draft.task, draft.task.poster, selectWallet(draft, 'worker'), exitPenalty)
  },
  fund: ({ world, task, s }) => fundEscrow(world, task, s.call.amount),
  pay: ({ world, task, before, s }, { what }) => {
    const milestone = amountOf(before, before.current)
    const held = heldOf(before)
    const amount = {
      milestone,
      held,
      'share of milestone': (milestone * s.call.workerBps) / bps,
      'share of held': (held * s.call.workerBps) / bps,
    }[what]
    releaseEscrow(world, task, amount)
  },
}

/** What reaching a state does. */
export const onArrival: Readonly<Record<EntryEffect, (draft: TaskDraft) => void>> = {
  'let worker go': ({ world, task }) => {
    if (task.worker === null) return
    addClaim(world, task.worker, -1)
    unreserve(world, task, task.worker)
  },
  'forget worker': ({ task }) => {
    task.worker = null
    task.claimedAt = 0
  },
  'free poster': ({ world, task }) => unreserve(world, task, task.poster),
  'refund held': ({ world, task }) => refundEscrow(world, task),
}
