import { type Address, getAddress } from 'viem'
import { computeJudgeLock, minBond } from '../money/amounts.ts'
import type { ArbitratorRecord } from '../records/agent.ts'
import type { DisputeRecord } from '../records/dispute.ts'
import type { TaskRecord } from '../records/task.ts'
import { buildTaskContext, type TaskContext } from '../tasks/taskContext.ts'
import type { TaskId } from '../tasks/taskId.ts'
import { listDueSteps, listNextSteps, type NextStep } from './nextSteps.ts'

/** The parts that a wallet can have in a task. A candidate is an arbitrator that can accept the case. */
export const inboxRoles = ['poster', 'worker', 'judge', 'candidate', 'court'] as const

type InboxRole = (typeof inboxRoles)[number]

/** A task of a wallet, with what decides whether something there waits for it. */
export interface InboxTask {
  taskId: TaskId
  task: TaskRecord
  /** Null if the task was never disputed. */
  dispute: DisputeRecord | null
  /** The final court of the market. */
  finalCourt: string
  /** The wallet as an arbitrator. */
  arbitrator: ArbitratorRecord
}

/** A task on which something waits for a wallet. */
export interface InboxEntry {
  taskId: TaskId
  role: InboxRole
  /** Everything the wallet can do with the task now, in the order of the action table. */
  steps: readonly NextStep[]
  /** The earliest deadline of what waits, in unix seconds; null if there is none. */
  urgent: number | null
  /** Missing a deadline costs this wallet something, or it is the judge or the court of the case. */
  isDuty: boolean
}

/**
 * Finds what waits for a wallet on a task at `now` (unix seconds): actions that time limits, or that time made possible.
 * Actions that harm the wallet do not count, such as leaving. Returns null if nothing waits. Like the list of pending
 * actions, it assumes that the wallet has the deposit and the fee.
 *
 * @example
 * ```ts
 * const entry = findInboxEntry({ taskId, task, dispute, finalCourt, arbitrator }, wallet, now)
 * ```
 */
export function findInboxEntry(given: InboxTask, wallet: Address, now: number): InboxEntry | null {
  const { taskId, task, dispute, finalCourt, arbitrator } = given
  const context: TaskContext = {
    ...buildTaskContext(taskId, task, dispute),
    finalCourt,
    canTakeCase: () => dispute !== null && canTakeCase(arbitrator, dispute.amount),
  }
  const steps = listNextSteps(context, wallet, now)
  const role = findRole(given, getAddress(wallet), steps)
  if (!role) return null
  const waiting = steps.filter((step) => waits(step) && !harms(step, role))
  if (waiting.length === 0) return null
  const deadlines = waiting.flatMap(({ until }) => until ?? [])
  const isDuty = (deadline: number) => listDueSteps(context, deadline + 1).some((step) => harms(step, role))
  return {
    taskId,
    role,
    steps: role === 'poster' || role === 'worker' ? steps : steps.filter((step) => !isForParties(step)),
    urgent: deadlines.length > 0 ? Math.min(...deadlines) : null,
    isDuty: waiting.some(({ row }) => row.by === 'judge' || row.by === 'court') || deadlines.some(isDuty),
  }
}

/** Whether an arbitrator is bonded, not unbonding, and has enough of its bond unlocked for a case about this amount. */
const canTakeCase = ({ bond, locked, unbondAt }: ArbitratorRecord, amount: bigint): boolean =>
  bond >= minBond && unbondAt === 0 && locked + computeJudgeLock(amount) <= bond

function findRole({ task, dispute }: InboxTask, wallet: string, steps: readonly NextStep[]): InboxRole | null {
  if (wallet === task.poster) return 'poster'
  if (wallet === task.worker) return 'worker'
  if (wallet === dispute?.judge) return 'judge'
  if (steps.some(({ row }) => row.by === 'court')) return 'court'
  return steps.some(({ row }) => row.by === 'candidate') ? 'candidate' : null
}

/** Whether time limits a step or made it possible. */
const waits = (step: NextStep): boolean => (step.since !== null || step.until !== null) && !isForParties(step)

/** Whether anyone may take a step, but only with what a party signed or a store: it waits for nobody. */
const isForParties = ({ row, required }: NextStep): boolean => row.by === 'anyone' && required.length > 0

/** Whether a step costs a wallet of this role something: a penalty, its exit deposit, its bond, or a payment it did not make. */
function harms({ row }: NextStep, role: InboxRole): boolean {
  return row.money.some((move) => {
    switch (move.move) {
      case 'forfeit':
      case 'spend exit deposit':
        return move.of === role
      case 'pay':
        return role === 'poster' && row.by === 'anyone'
      case 'slash silent judge':
        return role === 'judge'
      default:
        return false
    }
  })
}
