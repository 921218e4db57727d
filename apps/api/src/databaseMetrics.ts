import type { Sql } from 'postgres'
import { Gauge, type Registry } from 'prom-client'
import { withTimeout } from './withTimeout.ts'

interface DatabaseFigures {
  bytes: string
  connections: number
  max: number
}

/** When an operator last made a backup and restored one to try it, in unix seconds. */
interface Marks {
  backup: number
  drill: number
}

/** How long figures are good for. Several scrapes share them: the size of a database costs a walk over its files. */
const goodForMs = 10_000
const timeoutMs = 1_000

/** Exports what an operator must know of the database, so that a small market needs no exporter for Postgres. */
export function watchDatabase(registry: Registry, sql: Sql, now: () => number = Date.now): void {
  let pending = Promise.resolve()
  let readAt = Number.NEGATIVE_INFINITY
  // Every gauge waits for the same read, because a registry collects them side by side.
  const collect = () => {
    if (now() - readAt >= goodForMs) {
      readAt = now()
      pending = withTimeout(timeoutMs, read()).then(
        () => reachable.set(1),
        () => reachable.set(0),
      )
    }
    return pending
  }
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry], collect })
  const reachable = gauge('svc_database_reachable', '1 while the database answers.')
  const bytes = gauge('svc_database_bytes', 'Size of the database.')
  const connections = gauge('svc_database_connections', 'Connections of clients to the server.')
  const max = gauge('svc_database_max_connections', 'Connections that the server allows.')
  const backup = gauge('svc_backup_timestamp_seconds', 'When the last backup was made; 0 for never.')
  const drill = gauge('svc_restore_drill_timestamp_seconds', 'When a backup was last restored to try it; 0 for never.')

  async function read(): Promise<void> {
    const [row] = await sql<DatabaseFigures[]>`
      select pg_database_size(current_database()) as bytes,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
        current_setting('max_connections')::int as max`
    if (!row) return
    bytes.set(Number(row.bytes))
    connections.set(row.connections)
    max.set(row.max)
    // `svc-admin` creates the table with the first backup.
    const [table] = await sql<{ exists: boolean }[]>`select to_regclass('operations.mark') is not null as exists`
    if (!table?.exists) return
    const [marks] = await sql<Marks[]>`
      select coalesce(max(extract(epoch from at)) filter (where name = 'backup'), 0)::float8 as backup,
        coalesce(max(extract(epoch from at)) filter (where name = 'drill'), 0)::float8 as drill from operations.mark`
    if (!marks) return
    backup.set(marks.backup)
    drill.set(marks.drill)
  }
}
