import { ChainReadError, type Provider, standingAt } from '@svc/chain'
import { type Cursor, halt, marketNumber, type RowDifference, type RowKey, splitKey, type Walk } from '@svc/index'
import { formatTaskId, type Market } from '@svc/protocol'
import { spell } from '@svc/protocol/fold'
import type { Sql } from 'postgres'
import type { Compared } from './rowKinds.ts'
import { type Parts, type Rows, readStored } from './rowParts.ts'
import { takeSample } from './takeSample.ts'

/** A row of the index that is not what contract storage makes it. */
export interface Difference {
  key: RowKey
  /** What it must be; null: there must be none. */
  right: Parts | null
  /** The names of the parts that differ; empty where one of the two has no such row. */
  parts: readonly string[]
}

/** What was compared, and how far the walk through all rows is. */
export interface ComparedSample {
  cursor: Cursor
  walk: Walk
  compared: number
  differences: Difference[]
}

/**
 * Compares a sample of rows, each whole, with contract storage at the very block the index is at. Null when the provider has
 * another block there: nothing can be said.
 */
export async function compareSample(
  sql: Sql,
  of: Compared,
  provider: Provider,
  size: number,
): Promise<ComparedSample | null> {
  const sample = await takeSample(sql, of, size)
  if (!sample) return null
  const { cursor, walk, indexed, derived } = sample
  const stored = await readStoredAt(cursor, indexed.keys(), of, provider).catch((error: unknown) => {
    if (error instanceof ChainReadError) return null
    throw error
  })
  if (!stored) return null
  const right = new Map([...stored, ...derived])
  const compared = [...right].filter(([key, row]) => row !== null || indexed.get(key)).length
  return { cursor, walk, compared, differences: differencesOf(indexed, right) }
}

/**
 * Of differences from one provider those in which another agrees with it about the row, at the same block: one alone may lie,
 * and two that each say something else have confirmed nothing.
 */
export async function confirmDifferences(
  differences: readonly Difference[],
  cursor: Cursor,
  of: Compared,
  provider: Provider,
): Promise<Difference[]> {
  const keys = differences.map(({ key }) => key)
  const stored = await readStoredAt(cursor, keys, of, provider)
  return differences.filter(({ key, right }) => {
    const again = stored.get(key)
    // What the index itself makes of a row, no provider has said.
    return again === undefined || spell(again) === spell(right)
  })
}

function readStoredAt(cursor: Cursor, keys: Iterable<RowKey>, of: Compared, provider: Provider): Promise<Rows> {
  return standingAt(provider, cursor, () => readStored(keys, of, cursor, provider))
}

function differencesOf(indexed: Rows, right: Rows): Difference[] {
  return [...right].flatMap(([key, must]) => {
    const is = indexed.get(key) ?? null
    if (spell(is) === spell(must)) return []
    const names = is && must ? [...new Set([...Object.keys(is), ...Object.keys(must)])] : []
    const parts = names.filter((name) => spell(is?.[name] ?? null) !== spell(must?.[name] ?? null))
    return [{ key, right: must, parts }]
  })
}

/** Takes a market out of service where the index is wrong about it: readers go to the chain. */
export async function distrust(sql: Sql, market: Market, differences: readonly RowDifference[]): Promise<string> {
  const [first] = differences
  const parts = first?.parts.length ? ` in ${first.parts.join(', ')}` : ''
  const reason = `The row of ${first?.row} differs from contract storage${parts}: rebuild the index`
  await halt(sql, marketNumber(market), reason)
  return reason
}

/** A difference as it is published: of `task v2:micro:3`, `agent 0x…`, `union`. */
export function rowDifferenceOf(market: Market, { key, parts }: Difference): RowDifference {
  const [kind, id] = splitKey(key)
  const name = kind === 'task' || kind === 'dispute' ? formatTaskId({ market, number: BigInt(id) }) : id
  return { row: `${kind} ${name}`.trim(), parts }
}
