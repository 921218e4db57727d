import { readConnectionSettings } from '@svc/index'
import postgres, { type Sql } from 'postgres'

/** A connection pool that reconnects soon after the server is back and limits the run time of every statement. */
export function connectDatabase(url: string): Sql {
  return postgres(url, {
    fetch_types: false,
    onnotice: () => {},
    max: 10,
    connect_timeout: 5,
    backoff: () => 0.25,
    connection: { application_name: 'svc-api', statement_timeout: 10_000, ...readConnectionSettings },
  })
}
