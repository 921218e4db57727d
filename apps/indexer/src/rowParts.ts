import type { BlockRef, Provider } from '@svc/chain'
import { columnsOf, type Row, type RowKey, splitKey, type WholeRow } from '@svc/index'
import type { TransactionSql } from 'postgres'
import { type Compared, type RowKind, rowKinds } from './rowKinds.ts'

/** What a row says, by the names of its parts: the fields of the record, and the columns made of them. */
export type Parts = Readonly<Record<string, unknown>>

/** Rows by their keys; null: there is none. */
export type Rows = ReadonlyMap<RowKey, Parts | null>

/** The way rows of this key's kind are compared. Refuses a kind that none is written for. */
export function rowKindOf(key: RowKey): RowKind {
  const [kind] = splitKey(key)
  const found = (rowKinds as Record<string, RowKind>)[kind]
  if (!found) throw new RangeError(`Rows of kind ${kind} cannot be compared.`)
  return found
}

/** What the index says in a row, or without one. */
export function partsOfIndexed(key: RowKey, whole: WholeRow | null, of: Compared, block: BlockRef): Parts | null {
  const { absent, shown } = rowKindOf(key)
  const row = whole?.row ?? absent(splitKey(key)[1])
  return row && { ...shownOf(shown, row, of, block), ...named(whole?.columns ?? columnsOf(key, row, ownerOf(of))) }
}

/** What contract storage makes of rows. Those of kinds that are not stored are missing. */
export async function readStored(
  keys: Iterable<RowKey>,
  of: Compared,
  block: BlockRef,
  provider: Provider,
): Promise<Rows> {
  const read = [...Map.groupBy(keys, rowKindOf)].map(async ([{ stored }, group]) =>
    stored ? recordsOf(group, await stored(group.map(idOf), { ...of, block, provider }), of) : [],
  )
  return new Map((await Promise.all(read)).flat())
}

/** What rows of the index make of others. Those of kinds that are stored are missing. */
export async function readDerived(
  keys: Iterable<RowKey>,
  of: Compared,
  market: number,
  snapshot: TransactionSql,
): Promise<Rows> {
  const rows = new Map<RowKey, Parts | null>()
  for (const [{ derived }, group] of Map.groupBy(keys, rowKindOf)) {
    if (!derived) continue
    for (const [key, parts] of recordsOf(group, await derived(group.map(idOf), snapshot, market), of))
      rows.set(key, parts)
  }
  return rows
}

function recordsOf(keys: readonly RowKey[], records: ReadonlyMap<string, object | null>, of: Compared) {
  return keys.flatMap((key): [RowKey, Parts | null][] => {
    const record = records.get(idOf(key))
    if (record === undefined) return []
    return [[key, record && { ...record, ...named(columnsOf(key, record as Row, ownerOf(of))) }]]
  })
}

function shownOf(shown: RowKind['shown'], row: Row, of: Compared, block: BlockRef): object {
  try {
    return shown(row, { ...of, block })
  } catch {
    // Nobody has written such a row: as it is, it equals nothing.
    return row
  }
}

const idOf = (key: RowKey) => splitKey(key)[1]
const ownerOf = ({ market, contracts }: Compared) => ({ market, registry: contracts.taskRegistry })
const named = (columns: object) =>
  Object.fromEntries(Object.entries(columns).map(([name, value]) => [`column ${name}`, value]))
