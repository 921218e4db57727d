import { readingSettings } from '@svc/index'
import postgres, { type Sql } from 'postgres'

/** A pool of connections that comes back soon after the server does, and on which no statement runs for long. */
export function connectDatabase(url: string): Sql {
  return postgres(url, {
    fetch_types: false,
    onnotice: () => {},
    max: 10,
    connect_timeout: 5,
    backoff: () => 0.25,
    connection: { application_name: 'svc-api', statement_timeout: 10_000, ...readingSettings },
  })
}
