import postgres, { type Sql } from 'postgres'

/** The server ends a session that is silent for so long, and with it the lock of a writer that is frozen or was cut off. */
const silenceSeconds = 30

/** Well within that, a writer that has nothing to write shows that it is there. */
const beatMs = 5_000

/** Makes clients of one connection each, whose search path is a schema; `onLost` hears when that connection is gone. */
export function connector(url: string, application = 'svc-indexer'): (schema: string, onLost?: () => void) => Sql {
  return (schema, onLost = () => {}) => {
    const sql = postgres(url, {
      max: 1,
      // A connection that is given up after a while would give the lock up with it.
      max_lifetime: null,
      fetch_types: false,
      connect_timeout: 5,
      backoff: () => 0.1,
      connection: {
        search_path: schema,
        application_name: application,
        idle_session_timeout: silenceSeconds * 1000,
        idle_in_transaction_session_timeout: silenceSeconds * 1000,
        // Whoever dies while waiting for the lock is not left waiting.
        client_connection_check_interval: 1000,
      },
      onclose: onLost,
      onnotice: () => {},
    })
    return beating(sql)
  }
}

/** Says something now and then until it is ended; one beat at a time, since what waits for a lock cannot answer. */
function beating(sql: Sql): Sql {
  let waiting = false
  const beat = setInterval(async () => {
    if (waiting) return
    waiting = true
    await sql`select`.catch(() => {})
    waiting = false
  }, beatMs).unref()
  const { end } = sql
  return Object.assign(sql, {
    end: (options?: { timeout?: number }) => {
      clearInterval(beat)
      return end(options)
    },
  })
}
