import type { Provider } from '@svc/chain'
import { ChainReadError, type MarketContracts, readTasksAt } from '@svc/chain'
import {
  type Comparison,
  type Cursor,
  halt,
  indexedTasks,
  loadComparison,
  loadCursor,
  marketNumber,
  partsOf,
  type RowDifference,
  sampleTasks,
  type TaskParts,
  taskCount,
} from '@svc/index'
import { formatTaskId, type Market } from '@svc/protocol'
import { spell } from '@svc/protocol/fold'
import type { TaskRecord } from '@svc/protocol/records'
import type { Sql } from 'postgres'

/** What of a market is compared. */
export interface Compared {
  market: Market
  contracts: Pick<MarketContracts, 'taskLens' | 'taskRegistry'>
}

/** A row of the index that is not what contract storage makes it. */
export interface Difference {
  number: bigint
  /** What the index has; null: nothing. */
  indexed: TaskParts | null
  /** The names of the parts that differ; empty where one of the two has no such task. */
  parts: readonly string[]
}

/** What was compared, and how far the sweep through all tasks came. */
export interface Sample extends Pick<Comparison, 'swept' | 'rounds'> {
  cursor: Cursor
  compared: number
  differences: Difference[]
}

/**
 * Reads tasks from contract storage at the very block the index is at, and compares each with its whole row: some that
 * changed last, some at random, and as many in turn, so that every row is compared sooner or later. Null when the block went
 * away meanwhile: nothing can be said.
 */
export async function compareSample(sql: Sql, of: Compared, provider: Provider, size: number): Promise<Sample | null> {
  const market = marketNumber(of.market)
  const cursor = await loadCursor(sql, market)
  if (!cursor || cursor.halted) return null
  const { numbers: swept, ...sweep } = await nextOf(sql, market, size)
  const numbers = [...new Set([...(await sampleTasks(sql, market, size)), ...swept])]
  const indexed = await indexedTasks(sql, market, numbers)
  const stored = await readTasksAt(provider, of.contracts.taskLens, numbers, cursor).catch((error: unknown) => {
    if (error instanceof ChainReadError) return null
    throw error
  })
  const after = await loadCursor(sql, market)
  // Rows and chain were both read at this block only if neither moved.
  if (!stored || after?.hash !== cursor.hash) return null
  const differences = numbers.flatMap((number) => differenceOf(of, number, indexed.get(number) ?? null, stored))
  return { cursor, compared: numbers.length, differences, ...sweep }
}

/** The tasks whose turn it is, after those of the comparison before. */
async function nextOf(
  sql: Sql,
  market: number,
  size: number,
): Promise<Pick<Comparison, 'swept' | 'rounds'> & { numbers: bigint[] }> {
  const { swept: last, rounds } = (await loadComparison(sql, market)) ?? { swept: 0n, rounds: 0 }
  const count = await taskCount(sql, market)
  const left = Math.min(size, Math.max(0, Number(count - last)))
  const numbers = Array.from({ length: left }, (_, index) => last + 1n + BigInt(index))
  const swept = last + BigInt(left)
  return swept < count ? { numbers, swept, rounds } : { numbers, swept: 0n, rounds: rounds + 1 }
}

function differenceOf(
  { market, contracts }: Compared,
  number: bigint,
  indexed: TaskParts | null,
  stored: ReadonlyMap<bigint, TaskRecord>,
): Difference[] {
  const task = stored.get(number)
  const right = task ? partsOf(task, market, contracts.taskRegistry) : null
  if (spell(indexed) === spell(right)) return []
  const names = indexed && right ? [...new Set([...Object.keys(indexed), ...Object.keys(right)])] : []
  const parts = names.filter((name) => spell(indexed?.[name] ?? null) !== spell(right?.[name] ?? null))
  return [{ number, indexed, parts }]
}

/** Of differences from one provider those that another has too, at the same block: one alone may lie. */
export async function confirmDifferences(
  differences: readonly Difference[],
  cursor: Cursor,
  of: Compared,
  provider: Provider,
): Promise<Difference[]> {
  const numbers = differences.map(({ number }) => number)
  const stored = await readTasksAt(provider, of.contracts.taskLens, numbers, cursor)
  return differences.flatMap(({ number, indexed }) => differenceOf(of, number, indexed, stored))
}

/** Takes a market out of service where the index is wrong about it: readers go to the chain. */
export async function distrust(sql: Sql, market: Market, differences: readonly Difference[]): Promise<string> {
  const [first] = differences.map((each) => rowDifferenceOf(market, each))
  const parts = first?.parts.length ? ` in ${first.parts.join(', ')}` : ''
  const reason = `Task ${first?.task} differs from contract storage${parts}: rebuild the index`
  await halt(sql, marketNumber(market), reason)
  return reason
}

/** A difference as it is published. */
export function rowDifferenceOf(market: Market, { number, parts }: Difference): RowDifference {
  return { task: formatTaskId({ market, number }), parts }
}
