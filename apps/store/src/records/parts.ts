import { ServiceError } from '@svc/operations'
import { formatTaskId, type TaskId } from '@svc/protocol'
import { type Part, workLimits } from '@svc/protocol/work'
import type { Database } from '@svc/serve'
import type { Sql, TransactionSql } from 'postgres'

/** The rows of parts. They count for quotas and lead the sweep; whether bytes are there, only the object store says. */
export interface PartRecords {
  /** Reserves room for a part before its bytes come. Throws WORK_QUOTA_REACHED. */
  reserve: (taskId: TaskId, part: Part) => Promise<void>
  /** Records that the bytes are stored. */
  hold: (taskId: TaskId, part: Part) => Promise<void>
  /** Gives the room back after an upload that failed. */
  release: (taskId: TaskId, sha256: string) => Promise<void>
  /** Returns the sizes of the parts that are held, by hash. */
  listHeld: (taskId: TaskId, hashes: readonly string[]) => Promise<ReadonlyMap<string, number>>
  /** Whether the part belongs to a public bundle. */
  isPublic: (taskId: TaskId, sha256: string) => Promise<boolean>
}

/** Waits for the task's turn: quota, bundles and deletion of one task never interleave. Held until the transaction ends. */
export const lockTask = (sql: TransactionSql, task: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`svc_store ${task}`}, 0))`

export function createPartRecords(database: Database): PartRecords {
  return {
    async reserve(taskId, { sha256, size }) {
      const task = formatTaskId(taskId)
      const limit = workLimits.taskBytes[taskId.market]
      const [row] = await database(
        (sql) =>
          sql<{ used: string | null }[]>`select store.reserve_part(${task}, ${sha256}, ${size}, ${limit}) as used`,
      )
      const used = row?.used ?? null
      if (used !== null) {
        throw new ServiceError('WORK_QUOTA_REACHED', `The task has ${used} of ${limit} bytes; ${size} more do not fit.`)
      }
    },
    async hold(taskId, { sha256, size }) {
      const task = formatTaskId(taskId)
      await database(
        (sql) => sql`
          insert into store.part (task, sha256, size, held_at) values (${task}, ${sha256}, ${size}, now())
          on conflict (task, sha256) do update set held_at = now(), touched_at = now(), size = ${size}`,
      )
    },
    async release(taskId, sha256) {
      await database(
        (sql) => sql`
          delete from store.part where task = ${formatTaskId(taskId)} and sha256 = ${sha256} and held_at is null`,
      )
    },
    async listHeld(taskId, hashes) {
      const rows = await database((sql) => selectHeld(sql, formatTaskId(taskId), hashes))
      return new Map(rows.map(({ sha256, size }) => [sha256, size]))
    },
    async isPublic(taskId, sha256) {
      const rows = await database(
        (sql) => sql`
          select from store.bundle_part p join store.bundle b on b.hash = p.bundle
          where p.task = ${formatTaskId(taskId)} and p.sha256 = ${sha256} and b.is_public limit 1`,
      )
      return rows.length > 0
    },
  }
}

/** Hashes as the text of a Postgres array. Hex needs no quotes. */
export const formatHashes = (hashes: readonly string[]): string => `{${hashes.join(',')}}`

/** The held ones of these parts, with their sizes. */
export const selectHeld = (sql: Sql | TransactionSql, task: string, hashes: readonly string[]) =>
  sql<Part[]>`
    select sha256, size from store.part
    where task = ${task} and held_at is not null and sha256 = any(${formatHashes(hashes)}::text[])`
