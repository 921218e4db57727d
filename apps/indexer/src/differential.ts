import type { Provider } from '@svc/chain'
import { ChainReadError, readTasksAt } from '@svc/chain'
import { type Cursor, halt, indexedTasks, loadCursor, sampleTasks } from '@svc/index'
import { spell } from '@svc/protocol/fold'
import type { TaskRecord } from '@svc/protocol/records'
import type { Sql } from 'postgres'
import type { Address } from 'viem'

/** Two tellings of one task that differ. */
export interface Difference {
  number: bigint
  indexed: TaskRecord | null
  stored: TaskRecord | null
}

/**
 * Reads some tasks from contract storage at the very block the index is at, and compares. Null when the block went away
 * meanwhile: nothing can be said.
 */
export async function compareSample(
  sql: Sql,
  market: number,
  provider: Provider,
  taskLens: Address,
  size: number,
): Promise<{ cursor: Cursor; compared: number; differences: Difference[] } | null> {
  const cursor = await loadCursor(sql, market)
  if (!cursor || cursor.halted) return null
  const numbers = await sampleTasks(sql, market, size)
  const indexed = await indexedTasks(sql, market, numbers)
  const stored = await readTasksAt(provider, taskLens, numbers, cursor).catch((error: unknown) => {
    if (error instanceof ChainReadError) return null
    throw error
  })
  const after = await loadCursor(sql, market)
  // Rows and chain were both read at this block only if neither moved.
  if (!stored || after?.hash !== cursor.hash) return null
  const differences = numbers.flatMap((number) => {
    const [ours, theirs] = [indexed.get(number) ?? null, stored.get(number) ?? null]
    return spell(ours) === spell(theirs) ? [] : [{ number, indexed: ours, stored: theirs }]
  })
  return { cursor, compared: numbers.length, differences }
}

/** Of differences from one provider those that another has too, at the same block: one alone may lie. */
export async function confirmDifferences(
  differences: readonly Difference[],
  cursor: Cursor,
  provider: Provider,
  taskLens: Address,
): Promise<Difference[]> {
  const numbers = differences.map(({ number }) => number)
  const stored = await readTasksAt(provider, taskLens, numbers, cursor)
  return differences.filter(({ number, indexed }) => spell(stored.get(number) ?? null) !== spell(indexed))
}

/** Takes a market out of service where the index is wrong about it: readers go to the chain. */
export async function distrust(sql: Sql, market: number, [first]: readonly Difference[]): Promise<string> {
  const reason = `Task ${first?.number} differs from contract storage: rebuild the index`
  await halt(sql, market, reason)
  return reason
}
