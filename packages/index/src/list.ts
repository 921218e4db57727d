/**
 * A list as Postgres writes arrays. The client could do this itself, but for it asks every new connection for all types,
 * and ends the process when the connection is lost meanwhile: with `fetch_types: false` it does neither.
 */
export function list(values: readonly (string | number | bigint | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : `"${String(value).replace(/["\\]/g, '\\$&')}"`)).join(',')}}`
}
