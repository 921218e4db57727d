import {
  ChainReadError,
  type MarketDeployment,
  type Provider,
  type Providers,
  readAtHead,
  readDisputes,
  readTasks,
} from '@svc/chain'
import { ServiceError, unavailable } from '@svc/operations'
import { formatTaskId, type TaskId, type TaskState } from '@svc/protocol'
import { findAskedJudge, listSeatedJudges } from '@svc/protocol/internal/records'
import { liveStates } from '@svc/protocol/internal/tasks'
import type { TaskRecord } from '@svc/protocol/records'
import type { BundleKind } from '@svc/protocol/work'
import type { Address } from 'viem'

/** What the chain says about a task, as far as the store needs it. */
export interface TaskFacts {
  taskId: TaskId
  task: TaskRecord
  /** Wallets that judge the open dispute: the seated judge, and the final court once the case is there. */
  judges: readonly Address[]
  /** The wallet that both sides ask to judge, which has not accepted yet. */
  askedJudge?: Address | null
  /** The time of the block, in unix seconds. */
  now: number
}

export type Role = 'poster' | 'worker' | 'judge' | 'askedJudge' | 'clerk'

/** Who may store which kind of bundle. */
export const authorRoles: Readonly<Record<BundleKind, readonly Role[]>> = {
  delivery: ['worker'],
  revision: ['poster'],
  evidence: ['poster', 'worker'],
  ruling: ['judge'],
  brief: ['poster', 'worker'],
}

const live: ReadonlySet<TaskState> = new Set(liveStates)

/** Whether a task can still change, and so can still get bundles. */
export const isLive = ({ task }: TaskFacts): boolean => live.has(task.state)

/** Lists the roles that the chain gives a wallet in a task now. The clerk has one in disputes only. */
export function listRoles({ task, judges, askedJudge }: TaskFacts, wallet: Address, clerk: Address | null): Role[] {
  const isDisputed = task.state === 'DISPUTED'
  return [
    ...(wallet === task.poster ? (['poster'] as const) : []),
    ...(wallet === task.worker ? (['worker'] as const) : []),
    ...(isDisputed && judges.includes(wallet) ? (['judge'] as const) : []),
    ...(isDisputed && wallet === askedJudge ? (['askedJudge'] as const) : []),
    ...(isDisputed && wallet === clerk ? (['clerk'] as const) : []),
  ]
}

/** Whether a wallet may store parts and bundles: the parties and judges of a running task. Before a claim, that is the poster. */
export const mayWrite = (facts: TaskFacts, roles: readonly Role[]): boolean =>
  isLive(facts) && roles.some((role) => role !== 'clerk' && role !== 'askedJudge')

/** Whether a wallet may read encrypted work. It still needs a grant to open it. */
export const mayRead = (roles: readonly Role[]): boolean => roles.length > 0

/** Reads tasks from the chain. */
export interface TaskSource {
  /** Facts of the newest block. Throws TASK_NOT_FOUND or CHAIN_UNREACHABLE. */
  readTask: (taskId: TaskId) => Promise<TaskFacts>
  /**
   * The same, at most a few seconds old if those facts allow what is asked: an upload of many parts reads the chain once, and
   * who got a role a moment ago is not refused from memory.
   */
  readRecentTask: (taskId: TaskId, allows: (facts: TaskFacts) => boolean) => Promise<TaskFacts>
}

const maxAgeMs = 3_000
const maxCached = 1_000

/** Creates a source of tasks with a short-lived cache. */
export function createTaskSource(
  providers: Providers,
  { markets }: MarketDeployment,
  now: () => number = Date.now,
): TaskSource {
  const cache = new Map<string, { at: number; facts: Promise<TaskFacts> }>()

  const readTask = async (taskId: TaskId): Promise<TaskFacts> => {
    const contracts = markets[taskId.market]
    const read = async (provider: Provider, block: { number: bigint }) => ({
      tasks: await readTasks(provider, contracts, [taskId.number], block),
      disputes: await readDisputes(provider, contracts, [taskId.number], block),
    })
    const { tasks, disputes, block } = await readAtHead(providers, read).catch((error: unknown) => {
      if (error instanceof ChainReadError) throw unavailable('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
      throw error
    })
    const [task] = tasks
    if (!task) throw new ServiceError('TASK_NOT_FOUND', `There is no task ${formatTaskId(taskId)}.`)
    const [dispute] = disputes
    const judges = listSeatedJudges(dispute, contracts.finalCourt)
    return { taskId, task, judges, askedJudge: findAskedJudge(dispute), now: block.timestamp }
  }

  return {
    readTask,
    async readRecentTask(taskId, allows) {
      const key = formatTaskId(taskId)
      const known = cache.get(key)
      if (known && now() - known.at < maxAgeMs) {
        const remembered = await known.facts
        if (allows(remembered)) return remembered
      }
      const facts = readTask(taskId)
      cache.delete(key)
      cache.set(key, { at: now(), facts })
      facts.catch(() => cache.delete(key))
      for (const oldest of cache.keys()) {
        if (cache.size <= maxCached) break
        cache.delete(oldest)
      }
      return facts
    },
  }
}
