import {
  createChainListing,
  createChainReader,
  createTaskWalk,
  createTouchedTasks,
  type FindTimeline,
  type Head,
  type MarketDeployment,
  type Providers,
  readAtHead,
  readTasks,
  type TaskWalk,
  taskPageSize,
} from '@svc/chain'
import { formatTaskId, type Market, markets, type TaskId } from '@svc/protocol'
import type { ExpectedBundle, Reader } from '@svc/protocol/work'
import { createPollLoop, type PollFault, toError } from '@svc/serve'
import type { FindReadersOptions, StoreConnection } from '@svc/work'
import { type DisputedTask, isUnreachable, serveTask, type Waiting } from './serveTask.ts'

/** What a clerk reports. */
export type ClerkEvent =
  | { kind: 'granted'; taskId: TaskId; expected: ExpectedBundle; readers: readonly Reader[] }
  /** What keeps seated judges of a task from reading; reported with every visit. */
  | { kind: 'waiting'; taskId: TaskId; waiting: Waiting }
  | PollFault
  | { kind: 'polled'; status: ClerkStatus }

/** The state of a clerk after a poll. */
export interface ClerkStatus {
  block: bigint
  /** Time of that block, in unix seconds. */
  timestamp: number
  /** Whether every task was read at least once. */
  isComplete: boolean
  /** Whether chain and store answered everything. */
  isServing: boolean
  /** Disputed tasks, by market. */
  disputes: Readonly<Record<Market, number>>
  waitingJudges: number
  /** Bundles that a seated judge cannot read, by reason. */
  unopened: Readonly<Record<string, number>>
}

export interface ClerkOptions {
  providers: Providers
  /** Returns the newest block. */
  readHead: () => Promise<Head>
  chainId: number
  deployment: MarketDeployment
  /** Says where a task has events, so that disputes of any age can be read. */
  findTimeline?: FindTimeline | undefined
  /** Signs in if that is needed, and returns the connection. Called with every poll. */
  openStore: () => Promise<StoreConnection>
  /** How statements of judges are checked. */
  createReadingOptions: () => FindReadersOptions
  pollMs: number
  recheckMs: number
  scanMs: number
  onEvent: (event: ClerkEvent) => void
  signal: AbortSignal
}

/** The most disputed tasks to follow, and tasks to read per poll. More are found by the next walk. */
const [maxDisputes, maxChecks] = [20_000, 1_000]
/** Tasks that are served at the same time, and at most in one poll. */
const [servedAtOnce, servedPerPoll] = [4, 400]

/**
 * Follows disputes until the signal aborts, and grants their bundles to the judges that the chain seats. Errors are reported and
 * retried. Nothing is stored: the chain says who judges what, and a grant that is made twice is the same grant.
 */
export async function runClerk(options: ClerkOptions): Promise<void> {
  const { providers, deployment, chainId, pollMs, recheckMs, scanMs, onEvent, signal } = options
  const reader = createChainReader(providers, deployment, { findTimeline: options.findTimeline })
  const touched = createTouchedTasks(deployment, markets)
  const chain = createChainListing(providers, deployment)
  const walks = new Map(markets.map((market) => [market, createTaskWalk({ market, chain, restMs: scanMs })] as const))
  const marked = new Map(markets.map((market) => [market, new Set<bigint>()] as const))
  const disputes = new Map<string, DisputedTask>()
  const createContext = (taskId: TaskId) => {
    const { taskRegistry, finalCourt } = deployment.markets[taskId.market]
    return { chainId, registry: taskRegistry, taskId, finalCourt }
  }

  const { attempt, run } = createPollLoop(pollMs, onEvent, signal)

  const followEvents = () =>
    attempt('follow events', async () => {
      const tasks = await providers.read((provider) => touched.list(provider))
      for (const { market, number } of tasks) marked.get(market)?.add(number)
    })

  /** Reads the marked tasks and those of the walk, and remembers which of them are disputed. */
  const findDisputes = (market: Market, walk: TaskWalk, numbers: Set<bigint>) =>
    attempt('read tasks', async () => {
      while (numbers.size < maxChecks) {
        for (const number of await walk.next()) numbers.add(number)
        if (!walk.isWalking()) break
      }
      const some = [...numbers].slice(0, maxChecks)
      for (let at = 0; at < some.length; at += taskPageSize) {
        const page = some.slice(at, at + taskPageSize)
        const { tasks } = await readAtHead(providers, async (provider, block) => ({
          tasks: await readTasks(provider, deployment.markets[market], page, block),
        }))
        const disputed = new Set(tasks.filter(({ state }) => state === 'DISPUTED').map(({ number }) => number))
        for (const number of page) {
          noteTask({ market, number }, disputed.has(number))
          numbers.delete(number)
        }
      }
    })

  const noteTask = (taskId: TaskId, isDisputed: boolean) => {
    const key = formatTaskId(taskId)
    const known = disputes.get(key)
    if (!isDisputed) disputes.delete(key)
    else if (known) Object.assign(known, { facts: null, notBefore: 0 })
    else if (disputes.size < maxDisputes) {
      const waiting = { judges: [], bundles: [] }
      disputes.set(key, { taskId, facts: null, grantedAt: new Map(), notBefore: 0, faults: 0, waiting })
    }
  }

  const serveOne = async (task: DisputedTask, store: StoreConnection): Promise<void> => {
    const { taskId } = task
    try {
      const isDisputed = await serveTask(task, {
        reader,
        store,
        createContext,
        readingOptions: options.createReadingOptions(),
        onGranted: (_, expected, readers) => onEvent({ kind: 'granted', taskId, expected, readers }),
        signal,
      })
      if (!isDisputed) disputes.delete(formatTaskId(taskId))
      task.faults = 0
      task.notBefore = Date.now() + recheckMs
      onEvent({ kind: 'waiting', taskId, waiting: task.waiting })
    } catch (error) {
      task.notBefore = Date.now() + Math.min(pollMs * 2 ** task.faults, recheckMs)
      task.faults = Math.min(task.faults + 1, 20)
      if (isUnreachable(error)) throw error
      onEvent({ kind: 'fault', what: `serve ${formatTaskId(taskId)}`, error: toError(error) })
    }
  }

  const serve = () =>
    attempt('grant work', async () => {
      const store = await options.openStore()
      const now = Date.now()
      // Those that waited longest first: tasks that fail come back later and hold up nobody.
      const due = [...disputes.values()]
        .filter(({ notBefore }) => notBefore <= now)
        .toSorted((a, b) => a.notBefore - b.notBefore)
        .slice(0, servedPerPoll)
      for (let at = 0; at < due.length && !signal.aborted; at += servedAtOnce) {
        const results = await Promise.allSettled(due.slice(at, at + servedAtOnce).map((task) => serveOne(task, store)))
        const failure = results.find((result) => result.status === 'rejected')
        if (failure) throw failure.reason
      }
    })

  const report = ({ number, timestamp }: Head, isServing: boolean) => {
    const all = [...disputes.values()]
    const unopened: Record<string, number> = { missing: 0, removed: 0, closed: 0, wrong: 0 }
    for (const { outcome } of all.flatMap(({ waiting }) => waiting.bundles)) {
      unopened[outcome] = (unopened[outcome] ?? 0) + 1
    }
    const count = (market: Market) => all.filter(({ taskId }) => taskId.market === market).length
    const status: ClerkStatus = {
      block: number,
      timestamp,
      isComplete: [...walks.values()].every((walk) => walk.isComplete()),
      isServing,
      disputes: { standard: count('standard'), micro: count('micro') },
      waitingJudges: all.reduce((sum, { waiting }) => sum + waiting.judges.length, 0),
      unopened,
    }
    onEvent({ kind: 'polled', status })
  }

  const poll = async (): Promise<boolean> => {
    let head: Head | undefined
    await attempt('read the newest block', async () => {
      head = await options.readHead()
    })
    if (!head) return false
    const results = [await followEvents()]
    for (const [market, walk] of walks) {
      results.push(await findDisputes(market, walk, marked.get(market) ?? new Set()))
    }
    results.push(await serve())
    const isServing = !results.includes(false)
    report(head, isServing)
    return isServing
  }

  await run(poll, () => [...walks.values()].some((walk) => walk.isWalking()))
}
