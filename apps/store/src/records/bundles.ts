import { ServiceError } from '@svc/operations'
import { formatTaskId, type TaskId } from '@svc/protocol'
import { computeBundleSize, type Part } from '@svc/protocol/internal/work'
import { type BundleKind, type Descriptor, listParts } from '@svc/protocol/work'
import type { Database } from '@svc/serve'
import type { Address, Hex } from 'viem'
import { formatHashes, lockTask, selectHeld } from './parts.ts'

/** A bundle in lists. */
interface BundleRow {
  hash: Hex
  kind: BundleKind
  author: Address
  milestone: number
  revision: number
  isPublic: boolean
  size: number
  /** Unix seconds. */
  storedAt: number
}

export interface BundleRecords {
  /** Stores a descriptor. Storing it again changes nothing. Returns the parts whose rows are missing, and then stores nothing. */
  save: (hash: Hex, bytes: Uint8Array, descriptor: Descriptor) => Promise<readonly Part[]>
  /** Returns the exact bytes of a descriptor; null if it is not stored. */
  find: (hash: Hex) => Promise<Uint8Array | null>
  /** Lists the bundles of a task, oldest first. */
  list: (taskId: TaskId) => Promise<readonly BundleRow[]>
}

/** Bundles of one author in one task. Every step of a task has one or a few. By author: no party uses up the room of another. */
const maxBundles = 100

export function createBundleRecords(database: Database): BundleRecords {
  return {
    async save(hash, bytes, descriptor) {
      const task = formatTaskId(descriptor.taskId)
      const parts = listParts(descriptor)
      const hashes = parts.map(({ sha256 }) => sha256)
      const { author, kind, milestone, revision, recipient } = descriptor
      const outcome = await database((sql) =>
        sql.begin(async (transaction) => {
          await lockTask(transaction, task)
          // The sweep holds the same lock, so what is held now stays: from here on the bundle protects it.
          const held = new Map((await selectHeld(transaction, task, hashes)).map(({ sha256, size }) => [sha256, size]))
          const missing = parts.filter(({ sha256, size }) => held.get(sha256) !== size)
          if (missing.length > 0) return missing
          const [row] = await transaction<{ count: string }[]>`
            select count(*) as count from store.bundle where task = ${task} and author = ${author} and hash <> ${hash}`
          if (Number(row?.count) >= maxBundles) return 'full'
          await transaction`
            insert into store.bundle (hash, task, author, kind, milestone, revision, is_public, size, descriptor)
            values (${hash}, ${task}, ${author}, ${kind}, ${milestone}, ${revision}, ${recipient === null},
              ${computeBundleSize(descriptor)}, ${Buffer.from(bytes)})
            on conflict (hash) do nothing`
          await transaction`
            insert into store.bundle_part (task, sha256, bundle)
            select ${task}, sha256, ${hash} from unnest(${formatHashes(hashes)}::text[]) as sha256
            on conflict do nothing`
          return []
        }),
      )
      if (outcome === 'full')
        throw new ServiceError('WORK_QUOTA_REACHED', `A wallet stores at most ${maxBundles} bundles for a task.`)
      return outcome
    },
    async find(hash) {
      const [row] = await database(
        (sql) => sql<{ descriptor: Buffer }[]>`select descriptor from store.bundle where hash = ${hash}`,
      )
      return row?.descriptor ?? null
    },
    async list(taskId) {
      const rows = await database(
        (sql) => sql<(Omit<BundleRow, 'size' | 'storedAt'> & { size: string; storedAt: string })[]>`
          select hash, kind, author, milestone, revision, is_public as "isPublic", size,
            floor(extract(epoch from stored_at)) as "storedAt"
          from store.bundle where task = ${formatTaskId(taskId)} order by stored_at, hash`,
      )
      return rows.map((row) => ({ ...row, size: Number(row.size), storedAt: Number(row.storedAt) }))
    },
  }
}
