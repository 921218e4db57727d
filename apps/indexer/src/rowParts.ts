import type { BlockRef, Provider } from '@svc/chain'
import { computeColumns, type FullRow, parseRowKey, type Row, type RowKey } from '@svc/index'
import type { TransactionSql } from 'postgres'
import { type ComparedMarket, type RowKind, rowKinds } from './rowKinds.ts'

/** The parts of a row by name: the fields of the record and the columns computed from them. */
export type RowParts = Readonly<Record<string, unknown>>

/** Rows by key; null if there is none. */
export type Rows = ReadonlyMap<RowKey, RowParts | null>

/** Returns how rows of this key's kind are compared. Throws for an unknown kind. */
export function getRowKind(key: RowKey): RowKind {
  const [kind] = parseRowKey(key)
  const found = (rowKinds as Record<string, RowKind>)[kind]
  if (!found) throw new RangeError(`Rows of kind ${kind} cannot be compared.`)
  return found
}

/** Returns the parts of a row in the index, or of the default if there is no row. */
export function toIndexedParts(
  key: RowKey,
  whole: FullRow | null,
  of: ComparedMarket,
  block: BlockRef,
): RowParts | null {
  const { absent, toComparable: shown } = getRowKind(key)
  const row = whole?.row ?? absent(parseRowKey(key)[1])
  return (
    row && {
      ...makeComparable(shown, row, of, block),
      ...nameColumns(whole?.columns ?? computeColumns(key, row, getRowOwner(of))),
    }
  )
}

/** Reads the parts of rows from contract storage, without the kinds that contracts do not store. */
export async function readStored(
  keys: Iterable<RowKey>,
  of: ComparedMarket,
  block: BlockRef,
  provider: Provider,
): Promise<Rows> {
  const read = [...Map.groupBy(keys, getRowKind)].map(async ([{ stored }, group]) => {
    if (!stored) return []
    const rows: [RowKey, RowParts | null][] = []
    for (let at = 0; at < group.length; at += maxPerCall) {
      const some = group.slice(at, at + maxPerCall)
      rows.push(...toRowParts(some, await stored(some.map(getRowId), { ...of, block, provider }), of))
    }
    return rows
  })
  return new Map((await Promise.all(read)).flat())
}

/** Rows per call: far below the gas limit of a node for `eth_call`. */
const maxPerCall = 100

/** Computes the parts of rows from other rows of the index, only for the kinds that contracts do not store. */
export async function readDerived(
  keys: Iterable<RowKey>,
  of: ComparedMarket,
  market: number,
  snapshot: TransactionSql,
): Promise<Rows> {
  const rows = new Map<RowKey, RowParts | null>()
  for (const [{ derived }, group] of Map.groupBy(keys, getRowKind)) {
    if (!derived) continue
    for (const [key, parts] of toRowParts(group, await derived(group.map(getRowId), snapshot, market), of))
      rows.set(key, parts)
  }
  return rows
}

function toRowParts(keys: readonly RowKey[], records: ReadonlyMap<string, object | null>, of: ComparedMarket) {
  return keys.flatMap((key): [RowKey, RowParts | null][] => {
    const record = records.get(getRowId(key))
    if (record === undefined) return []
    return [[key, record && { ...record, ...nameColumns(computeColumns(key, record as Row, getRowOwner(of))) }]]
  })
}

function makeComparable(shown: RowKind['toComparable'], row: Row, of: ComparedMarket, block: BlockRef): object {
  try {
    return shown(row, { ...of, block })
  } catch {
    // The indexer cannot have written such a row. Unconverted, it equals nothing, so it is reported as different.
    return row
  }
}

const getRowId = (key: RowKey) => parseRowKey(key)[1]
const getRowOwner = ({ market, contracts }: ComparedMarket) => ({ market, registry: contracts.taskRegistry })
const nameColumns = (columns: object) =>
  Object.fromEntries(Object.entries(columns).map(([name, value]) => [`column ${name}`, value]))
