import { bps } from '../../../packages/protocol/src/amounts.ts'
import type { Args, Call } from '../facts.ts'
import { amountOf, type Task, type World } from '../world.ts'
import { hasOpenCase, type Property } from './property.ts'
import { requireTask, taskId } from './scenarios.ts'

const silencePays: Property = {
  name: '5 delivered and a silent poster means paid',
  edge: ({ before: was, after: is, actor, call }) => {
    const [before, after] = [requireTask(was), requireTask(is)]
    if (actor === 'both') return []
    const paid = after.released - before.released
    const worth = amountOf(before, before.current)
    const inReview = before.state === 'ACTIVE' && before.reviewEnd !== 0
    const isOver = after.state !== 'ACTIVE' && after.state !== 'DISPUTED'
    const reopened = after.state === 'ACTIVE' && after.reviewEnd === 0
    const { tier, posterSpoke, workerSpoke } = before.dispute
    const byRecord = call.operation === 'resolveTimedOut' && after.state === 'RESOLVED'
    return [
      inReview && isOver && paid < worth && `${call.operation} ended delivered work and paid ${paid} of ${worth}`,
      inReview && reopened && actor !== 'poster' && paid < worth && `${call.operation} took a delivery back`,
      byRecord && tier === 0 && workerSpoke && !posterSpoke && paid < worth && 'only the worker spoke, and got less',
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
  /** Reasons other than time for which even a dutiful caller may be refused. */
  unless?: readonly string[]
}

const evidence = (...unless: string[]): Duty[] =>
  ['poster', 'worker'].map((caller) => ({ operation: 'submitEvidence', caller, unless: ['AlreadySpoke', ...unless] }))

/** The waits as the design has them, said apart from the tables. */
function findWait(world: World, task: Task): Wait | null {
  const { params, now } = world
  const { dispute } = task
  const fresh = `arbitrator${dispute.sat.length}`
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
      const activate = [
        { operation: 'activate', caller: 'poster' },
        {
          operation: 'activate',
          caller: 'worker',
          unless: now <= task.claimedAt + params.vetWindow ? ['VetWindowOpen'] : [],
        },
      ]
      return {
        until: task.claimedAt + params.fundingWindow + (missing > 0n ? 0 : params.vetWindow),
        duties: missing > 0n ? fund : activate,
        byDefault: 'expire',
      }
    }
    case 'ACTIVE':
      if (task.reviewEnd === 0) {
        const duties = [{ operation: 'markDelivered', caller: 'worker' }]
        return { until: task.deadline, duties, byDefault: 'expire' }
      }
      return {
        until: task.reviewEnd,
        duties: [
          { operation: 'requestRevision', caller: 'poster', unless: ['NoRevisionsLeft'] },
          { operation: 'openDispute', caller: 'poster' },
          { operation: 'openDispute', caller: 'worker' },
        ],
        byDefault: 'releaseLapsed',
      }
    case 'DISPUTED':
      break
    default:
      return null
  }
  switch (dispute.phase) {
    case 'OPEN': {
      const isFirst = dispute.tier === 0 && !dispute.reseated
      const unless = isFirst && now <= dispute.consentEnd ? ['ConsentWindowOpen'] : []
      return {
        until: dispute.seatEnd,
        duties: [
          { operation: 'seat', caller: 'stranger', args: { panel: [fresh] }, unless },
          { operation: 'propose', caller: 'poster', args: { arbitrator: fresh } },
          ...evidence(),
        ],
        byDefault: 'resolveTimedOut',
      }
    }
    case 'EVIDENCE': {
      const silent = dispute.bench.slice(dispute.panelStart).find((seat) => !seat.voted)
      const vote = { operation: 'resolve', caller: silent?.arbitrator ?? '', args: { workerBps: bps } }
      // Before the parties were heard the duty is theirs.
      const duties =
        now <= dispute.evidenceEnd
          ? [{ ...vote, unless: ['EvidenceWindowOpen'] }, ...evidence()]
          : [vote, ...evidence('EvidenceWindowClosed')]
      return { until: dispute.rulingEnd, duties, byDefault: 'resolveTimedOut' }
    }
    default: {
      const caller = dispute.workerBps === bps ? 'poster' : 'worker'
      const unless = ['NoFurtherAppeal', ...poverty]
      return { until: dispute.appealEnd, duties: [{ operation: 'escalate', caller, unless }], byDefault: 'finalize' }
    }
  }
}

export const poverty = ['InsufficientDeposit', 'DepositTooLow', 'ERC20InsufficientBalance', 'NoFreeSlot'] as const
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
    const past = world.now > wait.until
    const due = past ? [wait.byDefault] : []
    const dead = past ? [] : wait.duties.filter((duty) => !isDone(duty, findError(duty)))
    const late = past ? wait.duties.filter((duty) => findError(duty) === null) : []
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
const paidByTheCaller = ['fund', 'claim', 'dismiss', 'leaveTask', 'escalate', 'withdrawDeposit']

const neverBlocked: Property = {
  name: '10 a paused or penniless account never blocks the other side',
  refusal: ({ world, call, error }) => [
    poverty.some((name) => name === error) &&
      !paidByTheCaller.includes(call.operation) &&
      `${call.operation} was refused for want of money`,
    error === 'EnforcedPause' &&
      (requireTask(world).state !== 'POSTED' || !['claim', 'fund'].includes(call.operation)) &&
      `${call.operation} was refused by the pause`,
  ],
}

/** What the check asks of time and silence. */
export const defaultProperties = [silencePays, oneDefault, neverBlocked] as const
