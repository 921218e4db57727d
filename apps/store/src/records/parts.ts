import { ServiceError } from '@svc/operations'
import { formatTaskId, type TaskId } from '@svc/protocol'
import type { Part } from '@svc/protocol/internal/work'
import type { Database } from '@svc/serve'
import type { Sql, TransactionSql } from 'postgres'
import type { Address } from 'viem'
import { createRemovalRecords, createRemovedError } from './removals.ts'

/** The rows of parts. They count for quotas and lead the sweep; whether bytes are there, only the object store says. */
export interface PartRecords {
  /** Reserves room for a part before its bytes come, within the wallet's quota in the task. Throws WORK_QUOTA_REACHED, and BUNDLE_REMOVED. */
  reserve: (taskId: TaskId, part: Part, by: { wallet: Address; quota: number }) => Promise<void>
  /** Records that the bytes are stored. */
  hold: (taskId: TaskId, part: Part, wallet: Address) => Promise<void>
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

/** Runs a transaction that holds the lock of a task. */
export const underTaskLock = <T>(
  database: Database,
  taskId: TaskId,
  work: (sql: TransactionSql, task: string) => Promise<T>,
): Promise<T> => {
  const task = formatTaskId(taskId)
  return database((sql) =>
    sql.begin(async (transaction) => {
      await lockTask(transaction, task)
      return { result: await work(transaction, task) }
    }),
  ).then(({ result }) => result)
}

export function createPartRecords(database: Database): PartRecords {
  const removals = createRemovalRecords(database)
  return {
    async reserve(taskId, { sha256, size }, { wallet, quota }) {
      const task = formatTaskId(taskId)
      const [row] = await database(
        (sql) => sql<{ used: string | null }[]>`
          select store.reserve_part(${task}, ${sha256}, ${size}, ${wallet}, ${quota}) as used`,
      )
      const used = row?.used ?? null
      if (used === '-1') {
        const removal = await removals.findPart(task, sha256)
        if (removal) throw createRemovedError(removal)
      }
      if (used !== null) {
        throw new ServiceError(
          'WORK_QUOTA_REACHED',
          `${wallet} has stored ${used} of ${quota} bytes for ${task}; ${size} more do not fit.`,
        )
      }
    },
    async hold(taskId, { sha256, size }, wallet) {
      const task = formatTaskId(taskId)
      await database(
        // With its task: a crash of Postgres may have lost the reservation, which is not on disk at once.
        (sql) => sql`
          with known as (insert into store.task values (${task}) on conflict do nothing)
          insert into store.part (task, sha256, size, held_at, wallet)
          values (${task}, ${sha256}, ${size}, now(), ${wallet})
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
