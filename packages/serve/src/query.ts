import { HttpError } from './errors.ts'

/** The query by name; a name that comes twice is refused, since one of the two would be ignored. */
export function queryOf(params: URLSearchParams): Record<string, string> {
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of params) {
    if (name in query) throw new HttpError(400, 'INVALID_REQUEST', `${name.slice(0, 40)} is given twice.`)
    query[name] = value
  }
  return query
}
