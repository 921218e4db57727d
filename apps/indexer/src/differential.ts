import { ChainReadError, type Provider, withCanonicalBlock } from '@svc/chain'
import {
  type Cursor,
  haltMarket,
  marketNumber,
  parseRowKey,
  type RowDifference,
  type RowKey,
  type Walk,
} from '@svc/index'
import { formatTaskId, type Market } from '@svc/protocol'
import { canonicalizeRecord } from '@svc/protocol/fold'
import type { Sql } from 'postgres'
import type { ComparedMarket } from './rowKinds.ts'
import { type RowParts, type Rows, readStored } from './rowParts.ts'
import { takeSample } from './takeSample.ts'

/** A row of the index that differs from contract storage. */
export interface Difference {
  key: RowKey
  /** What the row must be; null if it must not exist. */
  right: RowParts | null
  /** The names of the parts that differ; empty if one of the two has no such row. */
  parts: readonly string[]
}

/** The differences of a sample, and the walk through all rows after it. */
export interface ComparedSample {
  cursor: Cursor
  walk: Walk
  compared: number
  differences: Difference[]
}

/**
 * Compares a sample of full rows with contract storage at the block of the index. Returns null if the provider does not have
 * that block.
 */
export async function compareSample(
  sql: Sql,
  of: ComparedMarket,
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
  return { cursor, walk, compared, differences: findDifferences(indexed, right) }
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

/** Halts a market whose index is wrong. Readers use the chain from then on. */
export async function haltWrongMarket(
  sql: Sql,
  market: Market,
  differences: readonly RowDifference[],
): Promise<string> {
  const [first] = differences
  const parts = first?.parts.length ? ` in ${first.parts.join(', ')}` : ''
  const reason = `The row of ${first?.row} differs from contract storage${parts}: rebuild the index`
  await haltMarket(sql, marketNumber(market), reason)
  return reason
}

/** Formats a difference for publication, with a row name such as `task v2:micro:3`, `agent 0x…` or `union`. */
export function formatRowDifference(market: Market, { key, parts }: Difference): RowDifference {
  const [kind, id] = parseRowKey(key)
  const name = kind === 'task' || kind === 'dispute' ? formatTaskId({ market, number: BigInt(id) }) : id
  return { row: `${kind} ${name}`.trim(), parts }
}
