import { canonicalJson } from '../canonicalJson.ts'
import type { Entity } from './apply.ts'

/** An entity as JSON text; amounts, which JSON has no number for, become text like `12n`. */
export function packEntity(entity: Entity): string {
  return pack(entity)
}

/** The one spelling of an entity or a record, for comparing: databases keep fields in an order of their own, nested ones too. */
export function spell(record: object | null): string {
  return canonicalJson(JSON.parse(pack(record)))
}

const pack = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each))

/** Reads what `packEntity` wrote. No entity has text of its own, so nothing else looks like an amount. */
export function unpackEntity(text: string): Entity {
  return withAmounts(JSON.parse(text)) as Entity
}

// Not a reviver of JSON.parse: that costs more than four times as much.
function withAmounts(value: unknown): unknown {
  if (typeof value === 'string') return amount.test(value) ? BigInt(value.slice(0, -1)) : value
  if (typeof value !== 'object' || value === null) return value
  const fields = value as Record<string, unknown>
  for (const name of Object.keys(fields)) fields[name] = withAmounts(fields[name])
  return fields
}

const amount = /^-?\d+n$/
