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

/** What `JSON.stringify` writes with bigints as text; by hand, for it would call a function for every field. */
function pack(value: unknown): string {
  if (typeof value === 'bigint') return `"${value}n"`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(pack).join(',')}]`
  let text = ''
  for (const [name, each] of Object.entries(value)) {
    if (each !== undefined) text += `${text === '' ? '' : ','}"${name}":${pack(each)}`
  }
  return `{${text}}`
}

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
