import { ServiceError } from '@svc/operations'
import { formatTaskId, type TaskId, type TaskState } from '@svc/protocol'
import type { TaskRecord } from '@svc/protocol/records'
import type { Address } from 'viem'
import type { TaskFacts, TaskSource } from '../../apps/store/src/taskAccess.ts'

interface FakeTask {
  poster: Address
  worker: Address | null
  store: Address
  state?: TaskState
  revisions?: number
}

/** A source of tasks that a test sets, where the chain itself does not matter. */
export function createFakeTasks(): TaskSource & { set: (taskId: TaskId, task: FakeTask) => void } {
  const known = new Map<string, TaskFacts>()
  const readTask = async (taskId: TaskId): Promise<TaskFacts> => {
    const facts = known.get(formatTaskId(taskId))
    if (!facts) throw new ServiceError('TASK_NOT_FOUND', 'There is no such task.')
    return { ...facts, now: Math.floor(Date.now() / 1000) }
  }
  return {
    readTask,
    readRecentTask: readTask,
    set(taskId, { state = 'ACTIVE', revisions = 0, ...parties }) {
      const task: TaskRecord = {
        ...parties,
        number: taskId.number,
        state,
        scope: 'OPEN',
        claimPolicy: 'ANYONE',
        milestones: [{ amount: 1n, duration: 3_600, state: 'OPEN' }],
        current: 0,
        maxRevisions: 1,
        revisions,
        reviewWindow: 3_600,
        arbitrator: null,
        receipted: false,
        underNotice: false,
        total: 1n,
        funded: 1n,
        released: 0n,
        refunded: 0n,
        settlementDigest: `0x${'00'.repeat(32)}`,
        postedAt: 1,
        postedBlock: 1,
        claimDeadline: 1,
        claimedAt: 1,
        fundedAtClaim: true,
        deadline: 1,
        reviewEnd: 0,
        workerBps: 0,
        ruled: false,
      }
      known.set(formatTaskId(taskId), { taskId, task, judges: [], now: 0 })
    },
  }
}
