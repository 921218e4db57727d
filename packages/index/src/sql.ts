import type { Sql, TransactionSql } from 'postgres'

/** Anything that runs SQL: a pool, or a transaction on it. */
export type AnySql = Sql | TransactionSql

/**
 * Formats a list as a Postgres array. The client could do this, but only after it queried all types on every new connection, and
 * it ends the process if that connection is lost meanwhile. We use `fetch_types: false` to avoid both.
 */
export function toPgArray(values: readonly (string | number | bigint | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : `"${String(value).replace(/["\\]/g, '\\$&')}"`)).join(',')}}`
}

/** The same for numbers and hex digits, which need no escaping. */
export function toPlainPgArray(values: readonly (string | number | bigint | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : value === '' ? '""' : value)).join(',')}}`
}

/** Joins JSON texts to a JSON array for `json_array_elements_text`, which returns each one unchanged. */
export function toJsonArray(texts: readonly (string | null)[]): string {
  return `[${texts.map((text) => text ?? 'null').join(',')}]`
}

/** Limits are rounded up to a multiple of this, so that there are few different statements. */
const step = 25

/**
 * Formats a LIMIT of at least `rows` and one more, which shows whether there is a next page. It has to be part of the SQL text:
 * for a parameter, a generic plan assumes a tenth of the table.
 */
export function formatLimit(rows: number): string {
  return `limit ${Math.ceil(rows / step) * step + 1}`
}
