import { readFile } from 'node:fs/promises'
import type { Sql } from 'postgres'
import type { AppProcess } from '../../chaos/shared/appProcess.ts'

/** Memory of processes in bytes. What several share counts once. */
export async function readMemory(processes: readonly AppProcess[]): Promise<number> {
  const each = await Promise.all(
    processes.map(async ({ pid }) => {
      const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
      return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
    }),
  )
  return each.reduce((sum, bytes) => sum + bytes, 0)
}

/** Counts the other connections to this database. */
export async function countConnections(sql: Sql): Promise<number> {
  const [row] = await sql<{ connections: number }[]>`
    select count(*)::int as connections from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  return row?.connections ?? 0
}

/** Returns the median, the 99th percentile and the longest. */
export function summarize(times: readonly number[]): [p50: number, p99: number, longest: number] {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return [at(0.5), at(0.99), at(1)]
}
