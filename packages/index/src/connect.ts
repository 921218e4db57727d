import postgres, { type Sql } from 'postgres'

/** The server ends a session after this much silence, which releases the lock of a writer that hangs or lost its network. */
const idleTimeoutSeconds = 30

/** A writer with nothing to write sends a keepalive at this interval. */
const keepaliveMs = 5_000

/** Returns a function that opens a client with one connection and a schema as its search path. Calls `onLost` when it closes. */
export function createConnector(
  url: string,
  application = 'svc-indexer',
): (schema: string, onLost?: () => void) => Sql {
  return (schema, onLost = () => {}) => {
    const sql = postgres(url, {
      max: 1,
      // Recycling the connection would release its lock.
      max_lifetime: null,
      fetch_types: false,
      connect_timeout: 5,
      backoff: () => 0.1,
      connection: {
        search_path: schema,
        application_name: application,
        idle_session_timeout: idleTimeoutSeconds * 1000,
        idle_in_transaction_session_timeout: idleTimeoutSeconds * 1000,
        // Detects a client that dies while it waits for the lock.
        client_connection_check_interval: 1000,
      },
      onclose: onLost,
      onnotice: () => {},
    })
    return withKeepalive(sql)
  }
}

/** Sends a keepalive until the client is closed, one at a time: a connection that waits for a lock cannot respond. */
function withKeepalive(sql: Sql): Sql {
  let waiting = false
  const beat = setInterval(async () => {
    if (waiting) return
    waiting = true
    await sql`select`.catch(() => {})
    waiting = false
  }, keepaliveMs).unref()
  const { end } = sql
  return Object.assign(sql, {
    end: (options?: { timeout?: number }) => {
      clearInterval(beat)
      return end(options)
    },
  })
}
