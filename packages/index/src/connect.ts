import postgres, { type Sql } from 'postgres'

/** Makes clients of one connection each, whose search path is a schema; `onLost` hears when that connection is gone. */
export function connector(url: string, application = 'svc-indexer'): (schema: string, onLost?: () => void) => Sql {
  return (schema, onLost = () => {}) =>
    postgres(url, {
      max: 1,
      // A connection that is given up after a while would give the lock up with it.
      max_lifetime: null,
      fetch_types: false,
      connect_timeout: 5,
      backoff: () => 0.1,
      connection: { search_path: schema, application_name: application },
      onclose: onLost,
      onnotice: () => {},
    })
}
