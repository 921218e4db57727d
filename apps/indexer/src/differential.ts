import { ChainReadError, type Provider, withCanonicalBlock } from '@svc/chain'
import { type Cursor, parseRowKey, type RowDifference, type RowKey, type Walk } from '@svc/index'
import { formatTaskId, type Market } from '@svc/protocol'
import { canonicalizeRecord } from '@svc/protocol/internal/fold'
import type { Sql } from 'postgres'
import type { ComparedMarket } from './rowKinds.ts'
import { type RowParts, type Rows, readStored } from './rowParts.ts'
import { type RowsAtBlock, type SampleOptions, takeRows, takeSample } from './takeSample.ts'

/** A row of the index that differs from contract storage. */
export interface Difference {
  key: RowKey
  /** What the row must be; null if it must not exist. */
  right: RowParts | null
  /** The names of the parts that differ; empty if one of the two has no such row. */
  parts: readonly string[]
}

/** Rows that were compared, and the differences among them. */
export interface ComparedRows {
  cursor: Cursor
  keys: ReadonlySet<RowKey>
  /** How many of them exist. */
  compared: number
  differences: Difference[]
}

/** The differences of a sample, and the walk through all rows after it. */
export interface ComparedSample extends ComparedRows {
  walk: Walk
}

/**
 * Compares a sample of full rows with contract storage at the block of the index. Returns null if the provider does not have
 * that block.
 */
export async function compareSample(
  sql: Sql,
  of: ComparedMarket,
  provider: Provider,
  options: SampleOptions,
): Promise<ComparedSample | null> {
  const sample = await takeSample(sql, of, options)
  const found = sample && (await compareWithStorage(sample, of, provider))
  return found && { ...found, walk: sample.walk }
}

/** Compares exactly these rows, in the same way. */
export async function compareRows(
  sql: Sql,
  of: ComparedMarket,
  provider: Provider,
  keys: readonly RowKey[],
): Promise<ComparedRows | null> {
  const rows = await takeRows(sql, of, keys)
  return rows && compareWithStorage(rows, of, provider)
}

async function compareWithStorage(
  { cursor, indexed, derived }: RowsAtBlock,
  of: ComparedMarket,
  provider: Provider,
): Promise<ComparedRows | null> {
  const stored = await readStoredAt(cursor, indexed.keys(), of, provider).catch((error: unknown) => {
    if (error instanceof ChainReadError) return null
    throw error
  })
  if (!stored) return null
  const right = new Map([...stored, ...derived])
  const compared = [...right].filter(([key, row]) => row !== null || indexed.get(key)).length
  return { cursor, compared, keys: new Set(right.keys()), differences: findDifferences(indexed, right) }
}

/**
 * Returns the differences that a second provider confirms at the same block. A single provider may return false data, and two
 * providers that contradict each other confirm nothing.
 */
export async function confirmDifferences(
  differences: readonly Difference[],
  cursor: Cursor,
  of: ComparedMarket,
  provider: Provider,
): Promise<Difference[]> {
  const keys = differences.map(({ key }) => key)
  const stored = await readStoredAt(cursor, keys, of, provider)
  return differences.filter(({ key, right }) => {
    const again = stored.get(key)
    // A derived row is computed from the index itself, so there is nothing for a provider to confirm.
    return again === undefined || canonicalizeRecord(again) === canonicalizeRecord(right)
  })
}

function readStoredAt(cursor: Cursor, keys: Iterable<RowKey>, of: ComparedMarket, provider: Provider): Promise<Rows> {
  return withCanonicalBlock(provider, cursor, () => readStored(keys, of, cursor, provider))
}

function findDifferences(indexed: Rows, right: Rows): Difference[] {
  return [...right].flatMap(([key, expected]) => {
    const actual = indexed.get(key) ?? null
    if (canonicalizeRecord(actual) === canonicalizeRecord(expected)) return []
    const names = actual && expected ? [...new Set([...Object.keys(actual), ...Object.keys(expected)])] : []
    const parts = names.filter(
      (name) => canonicalizeRecord(actual?.[name] ?? null) !== canonicalizeRecord(expected?.[name] ?? null),
    )
    return [{ key, right: expected, parts }]
  })
}

/** Formats a difference for publication, with a row name such as `task v2:micro:3`, `agent 0x…` or `union`. */
export function formatRowDifference(market: Market, { key, parts }: Difference): RowDifference {
  const [kind, id] = parseRowKey(key)
  const name = kind === 'task' || kind === 'dispute' ? formatTaskId({ market, number: BigInt(id) }) : id
  return { row: `${kind} ${name}`.trim(), parts }
}
