/**
 * A list as Postgres writes arrays. The client could do this itself, but for it asks every new connection for all types,
 * and ends the process when the connection is lost meanwhile: with `fetch_types: false` it does neither.
 */
export function list(values: readonly (string | number | bigint | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : `"${String(value).replace(/["\\]/g, '\\$&')}"`)).join(',')}}`
}

/** The same for numbers and hex digits, in which nothing needs to be escaped. */
export function plainList(values: readonly (string | number | bigint | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : value === '' ? '""' : value)).join(',')}}`
}

/** JSON texts as one, for `json_array_elements_text`, which gives each back as it was: no quote needs a backslash. */
export function jsonList(texts: readonly (string | null)[]): string {
  return `[${texts.map((text) => text ?? 'null').join(',')}]`
}
