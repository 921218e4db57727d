import { DatabaseSync } from 'node:sqlite'
import { type StoredRequest, storedRequest } from '../../apps/gateway/src/requests/request.ts'

/** Reads what a gateway has stored, as another process sees it. */
export function readStoredRequests(file: string): StoredRequest[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = database.prepare('select body from request order by number').all()
    return rows.map(({ body }) => storedRequest.parse(JSON.parse(String(body))))
  } finally {
    database.close()
  }
}
