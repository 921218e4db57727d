import {
  type MarketAddresses,
  type Providers,
  readAtHead,
  readDisputes,
  readTasks,
  type TaskListing,
  taskPageSize,
} from '@svc/chain'
import { apiEndpoints, createClient } from '@svc/client'
import { formatTaskId, type Market, parseTaskId } from '@svc/protocol'
import { buildTaskContext } from '@svc/protocol/actions'
import { encodeAction, getContract } from '@svc/protocol/internal/actions'
import { findNextMoment, listDueSteps } from '@svc/protocol/internal/steps'
import { liveStates } from '@svc/protocol/internal/tasks'
import type { DisputeRecord, TaskRecord } from '@svc/protocol/records'
import type { Address, Hex } from 'viem'
import { findPurpose, type Purpose } from './purposes.ts'

/** A call that anyone may make on a task now. */
export interface DueCall {
  /** The task's id. A task has one call at a time. */
  key: string
  market: Market
  number: bigint
  action: string
  purpose: Purpose
  to: Address
  data: Hex
  /** Since when it is due, in unix seconds; null if it did not have to wait. */
  since: number | null
}

/** The result of reading some tasks: their calls that are due, and the tasks without one. */
export interface WatchReport {
  due: DueCall[]
  idle: string[]
}

/** The running tasks of a market, each with the moment at which it must be read again. */
export interface MarketWatch {
  /** Reads this task at the next check. */
  mark: (number: bigint) => void
  /** Reads marked tasks and those whose moment is before `time`, up to `max` of them, and reports each page. */
  check: (max: number, time: number, onReport: (report: WatchReport) => void) => Promise<void>
  /** How many tasks are watched, how many wait to be read, and how many did not fit. */
  counts: () => { watched: number; marked: number; dropped: number }
}

export interface MarketWatchOptions {
  market: Market
  contracts: MarketAddresses
  providers: Providers
  /** Acts only for these wallets; for everybody if empty. */
  wallets: readonly Address[]
  /** Ignores what was due before, in unix seconds. */
  since: number
  /** How long a due call is left to the parties, unless its deadline is near. */
  graceSeconds: number
  /** The most tasks to watch. More are found again by the next walk. */
  maxTasks?: number
}

const running = new Set<string>(liveStates)

/** Creates the watch of a market. The tables of the protocol decide what is due; nothing here knows a state. */
export function createMarketWatch(options: MarketWatchOptions): MarketWatch {
  const { market, contracts, providers, since, graceSeconds, maxTasks = 200_000 } = options
  const wallets = new Set<string>(options.wallets)
  /** The last second up to which time changes nothing about a task. */
  const moments = new Map<bigint, number>()
  const marked = new Set<bigint>()
  let [now, dropped] = [0, 0]

  const isWatched = ({ state, poster, worker, arbitrator }: TaskRecord) =>
    running.has(state) &&
    (wallets.size === 0 || [poster, worker, arbitrator].some((each) => each !== null && wallets.has(each)))

  const rememberMoment = (number: bigint, moment: number) => {
    const known = moments.get(number)
    if (known !== undefined || moments.size < maxTasks) moments.set(number, Math.min(moment, known ?? moment))
    else dropped++
  }

  const findDueCall = (task: TaskRecord, dispute: DisputeRecord | null): DueCall | null => {
    const taskId = { market, number: task.number }
    const steps = listDueSteps(buildTaskContext(taskId, task, dispute), now)
    const step = steps.find((each) => each.since === null || each.since >= since)
    if (!step) return null
    const { action, derived } = step
    const end = (step.since ?? 0) + graceSeconds
    if (now < end) {
      rememberMoment(task.number, end - 1)
      return null
    }
    return {
      key: formatTaskId(taskId),
      market,
      number: task.number,
      action: action.name,
      purpose: findPurpose(step, task),
      to: getContract(contracts, action.contract),
      data: encodeAction(action, derived, contracts),
      since: step.since,
    }
  }

  const remember = (task: TaskRecord, dispute: DisputeRecord | null) => {
    const moment = findNextMoment({ market, number: task.number }, task, dispute, now)
    // Without a moment, only an event changes the task, and events mark it.
    moments.delete(task.number)
    if (moment !== null) rememberMoment(task.number, moment)
  }

  const readPage = async (numbers: readonly bigint[]): Promise<WatchReport> => {
    const { block, tasks, disputes } = await readAtHead(providers, async (provider, at) => {
      const [found, cases] = await Promise.all([
        readTasks(provider, contracts, numbers, at),
        readDisputes(provider, contracts, numbers, at),
      ])
      return { tasks: found, disputes: cases }
    })
    now = block.timestamp
    const disputeByTask = new Map(disputes.map((dispute) => [dispute.number, dispute]))
    const taskByNumber = new Map(tasks.map((task) => [task.number, task]))
    const report: WatchReport = { due: [], idle: [] }
    for (const number of numbers) {
      const found = taskByNumber.get(number)
      const task = found && isWatched(found) ? found : null
      const dispute = disputeByTask.get(number) ?? null
      if (task) remember(task, dispute)
      else moments.delete(number)
      const call = task && findDueCall(task, dispute)
      if (call) report.due.push(call)
      else report.idle.push(formatTaskId({ market, number }))
      marked.delete(number)
    }
    return report
  }

  return {
    mark: (number) => void marked.add(number),
    counts: () => ({ watched: moments.size, marked: marked.size, dropped }),
    async check(max, time, onReport) {
      for (const [number, moment] of moments) if (moment < time) marked.add(number)
      const numbers = [...marked].slice(0, max)
      // Page by page, so that an error does not lose what was read before it.
      for (let at = 0; at < numbers.length; at += taskPageSize)
        onReport(await readPage(numbers.slice(at, at + taskPageSize)))
    },
  }
}

const live = new Set<string>(liveStates)

/** Creates a listing of the running tasks that the API knows. */
export function createApiListing(baseUrl: string): TaskListing {
  const api = createClient(apiEndpoints, { baseUrl })
  return {
    name: 'api',
    async listPage(market, cursor) {
      const { body } = await api.listRecentTasks({ market, limit: taskPageSize, ...(cursor !== null && { cursor }) })
      const running = body.tasks.filter(({ state }) => live.has(state))
      return { numbers: running.map(({ id }) => parseTaskId(id).number), next: body.meta.nextCursor }
    },
  }
}
