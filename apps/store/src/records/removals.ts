import { ServiceError } from '@svc/operations'
import { parseTaskId, type TaskId } from '@svc/protocol'
import type { Database } from '@svc/serve'
import type { Hex } from 'viem'

/** A bundle that the operator removed after a notice. */
export interface Removal {
  bundle: Hex
  taskId: TaskId
  isPublic: boolean
  /** What its readers are told. */
  reason: string
  removedAt: Date
}

export interface RemovalRecords {
  /** Finds the removal of a bundle; null if it was not removed. */
  find: (bundle: Hex) => Promise<Removal | null>
  /** Finds the removal that a part went with. */
  findPart: (task: string, sha256: string) => Promise<Removal | null>
}

interface Row extends Omit<Removal, 'taskId'> {
  task: string
}

export function createRemovalRecords(database: Database): RemovalRecords {
  const read = ([row]: readonly Row[]): Removal | null => {
    if (!row) return null
    const { task, removedAt, ...rest } = row
    return { ...rest, taskId: parseTaskId(task), removedAt: new Date(removedAt) }
  }
  return {
    async find(bundle) {
      return read(
        await database(
          (sql) => sql<Row[]>`
            select bundle, task, is_public as "isPublic", reason, removed_at as "removedAt"
            from store.removal where bundle = ${bundle}`,
        ),
      )
    },
    async findPart(task, sha256) {
      return read(
        await database(
          (sql) => sql<Row[]>`
            select r.bundle, r.task, is_public as "isPublic", reason, removed_at as "removedAt"
            from store.removed_part p join store.removal r on r.bundle = p.bundle
            where p.task = ${task} and p.sha256 = ${sha256}`,
        ),
      )
    },
  }
}

/** The error for readers of a removed bundle, and for anyone who uploads it again. */
export const createRemovedError = ({ bundle, reason, removedAt }: Removal): ServiceError =>
  new ServiceError(
    'BUNDLE_REMOVED',
    `The operator removed the bundle ${bundle} on ${removedAt.toISOString().slice(0, 10)}: ${reason}`,
    { hint: 'A receipt that was signed stays valid on chain. Agree with the other party, or open a dispute.' },
  )
