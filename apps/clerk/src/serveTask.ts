import type { MarketReader } from '@svc/chain'
import { ApiError } from '@svc/client'
import { formatTaskId, type TaskId } from '@svc/protocol'
import { listSeatedJudges } from '@svc/protocol/internal/records'
import type { ReferenceContext } from '@svc/protocol/internal/work'
import { type ExpectedBundle, listBundleReferences, type Reader } from '@svc/protocol/work'
import {
  type FindReadersOptions,
  type GrantedBundle,
  grantTaskBundles,
  listBriefs,
  listCheckedStatements,
  type StoreConnection,
  type StoredBrief,
} from '@svc/work'
import type { Address } from 'viem'

/** A task in dispute, as far as the clerk has served it. */
export interface DisputedTask {
  taskId: TaskId
  /** What the chain says; null until it is read, and again after an event. */
  facts: DisputeFacts | null
  /** When each reading key was granted each bundle, in unix milliseconds. */
  grantedAt: Map<string, number>
  /** Not to be looked at before, in unix milliseconds. */
  notBefore: number
  /** Visits in a row that failed. */
  faults: number
  /** What keeps seated judges from reading. */
  waiting: Waiting
}

interface DisputeFacts {
  references: readonly ExpectedBundle[]
  /** Lists the briefs of both parties at the store. */
  listBriefs: (store: StoreConnection) => Promise<readonly StoredBrief[]>
  judges: readonly Address[]
}

/** Seated judges without a key statement, and bundles that the clerk cannot open, by reason. */
export interface Waiting {
  judges: readonly Address[]
  bundles: readonly GrantedBundle[]
}

export interface ServeDeps {
  reader: MarketReader
  store: StoreConnection
  /** Where the hashes of a task are valid. */
  createContext: (taskId: TaskId) => ReferenceContext
  readingOptions: FindReadersOptions
  onGranted: (taskId: TaskId, expected: ExpectedBundle, readers: readonly Reader[]) => void
  signal: AbortSignal
}

/** A grant is made again after this time: the store may have been restored from an older backup. */
const grantAgainMs = 3_600_000

/**
 * Grants the bundles of a task to the keys of its seated judges, as far as parties have shared them with the clerk. What was
 * granted is remembered, so a second visit costs little. Returns false if the task is no longer in dispute. A bundle that the
 * store refuses does not stop the others; the first refusal is thrown in the end.
 */
export async function serveTask(task: DisputedTask, deps: ServeDeps): Promise<boolean> {
  const { store, readingOptions, onGranted, signal } = deps
  task.facts ??= await readFacts(task.taskId, deps)
  if (!task.facts) return false
  const { judges } = task.facts
  if (judges.length === 0) {
    task.waiting = { judges: [], bundles: [] }
    return true
  }
  const readers: Reader[] = []
  const unknown: Address[] = []
  for (const reader of judges) {
    const statements = await listCheckedStatements(store, reader, readingOptions)
    readers.push(...statements.map(({ readingKey }) => ({ reader, key: readingKey })))
    if (statements.length === 0) unknown.push(reader)
  }
  const unopened: GrantedBundle[] = []
  let refusal: unknown = null
  const now = Date.now()
  for (const expected of readers.length === 0 ? [] : await listHeldReferences(task, task.facts, store)) {
    if (signal.aborted) break
    const formatPair = ({ key }: Reader) => `${expected.hash} ${key}`
    const needed = readers.filter((reader) => now - (task.grantedAt.get(formatPair(reader)) ?? 0) > grantAgainMs)
    if (needed.length === 0) continue
    try {
      const bundles = await grantTaskBundles(store, [expected], needed)
      const isGranted = bundles.every(({ outcome }) => outcome === 'granted')
      if (!isGranted) {
        // Parties share the files of the brief with the clerk, but not everything that they send to each other.
        unopened.push(...bundles.filter(({ expected: { kind } }) => kind !== 'brief'))
        continue
      }
      for (const reader of needed) task.grantedAt.set(formatPair(reader), now)
      onGranted(task.taskId, expected, needed)
    } catch (error) {
      if (isUnreachable(error)) throw error
      refusal ??= error
    }
  }
  task.waiting = { judges: unknown, bundles: unopened }
  if (refusal) throw refusal
  return true
}

async function readFacts(
  taskId: TaskId,
  { reader, createContext }: Pick<ServeDeps, 'reader' | 'createContext'>,
): Promise<DisputeFacts | null> {
  const { detail } = await reader.getTask(taskId.market, taskId.number)
  if (detail?.task.state !== 'DISPUTED') return null
  const context = createContext(taskId)
  const { poster, worker } = detail.task
  return {
    references: listBundleReferences(context, detail.timeline),
    listBriefs: (store) => listBriefs(store, context, worker ? [poster, worker] : [poster]),
    judges: listSeatedJudges(detail.dispute, context.finalCourt),
  }
}

/**
 * Lists the encrypted bundles of a task that the chain names and the store holds, and the briefs of its parties. The store limits how
 * many a task has, so hashes of nothing, which cost a party only gas, cost the clerk nothing.
 */
async function listHeldReferences(
  { taskId }: DisputedTask,
  { references, listBriefs }: DisputeFacts,
  store: StoreConnection,
): Promise<ExpectedBundle[]> {
  const { body } = await store.calls.listBundles({ id: formatTaskId(taskId) })
  const held = new Set(body.bundles.filter(({ isPublic }) => !isPublic).map(({ hash }) => hash))
  const named = references.filter(({ hash }) => held.has(hash))
  const briefs = (await listBriefs(store)).filter(({ isPublic }) => !isPublic)
  return [...new Map([...named, ...briefs].map((each) => [each.hash, each])).values()]
}

/** Whether the store or the chain is to blame, so that no other task can be served either. */
export const isUnreachable = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 429
