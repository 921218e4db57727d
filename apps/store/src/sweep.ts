import { parseTaskId, type TaskId } from '@svc/protocol'
import { workLimits } from '@svc/protocol/work'
import type { Database, WalletRoom } from '@svc/serve'
import { partKey, taskPrefix } from './heldParts.ts'
import type { ObjectStore } from './objects/objectStore.ts'
import { removeOldMail } from './records/mail.ts'
import { underTaskLock } from './records/parts.ts'
import { isLive, type TaskSource } from './taskAccess.ts'

/** What a sweep removed. */
export interface SweepReport {
  parts: number
  tasks: number
  mail: number
  /** Bytes of the parts that are held. */
  heldBytes: number
  /** Bytes of the wallets that are not established, in the database. */
  newcomerBytes: number
}

export interface SweepDeps {
  database: Database
  objects: ObjectStore
  tasks: TaskSource
  room: WalletRoom
}

/** Tasks that one sweep looks at; the next one goes on. */
const batch = 500

/**
 * Removes what the store need not hold any more: parts that no bundle has named for a day, and everything of a task 180 days
 * after its end, besides what crashes left. Replicas may sweep at the same time: tasks are locked one by one.
 */
export async function sweep(deps: SweepDeps): Promise<SweepReport> {
  const { database } = deps
  await database(async (sql) => {
    await sql`delete from store.session where expires_at < now()`
    await sql`delete from store.used_proof where expires_at < now()`
    // A revocation counts for as long as what it revokes.
    await sql`
      delete from store.statement where expires_at < extract(epoch from now()) - ${workLimits.statementLifetime}::int`
  })
  const mail = await removeOldMail(database)
  await deps.objects.removeLeftovers()
  const loose = await database(
    (sql) => sql<{ task: string }[]>`
      select distinct task from store.part p
      where touched_at < now() - make_interval(secs => ${workLimits.looseParts})
        and not exists (select from store.bundle_part b where b.task = p.task and b.sha256 = p.sha256)
      limit ${batch}`,
  )
  let parts = 0
  for (const { task } of loose) parts += await removeLooseParts(deps, parseTaskId(task))
  await recordEnds(deps)
  const over = await database(
    (sql) => sql<{ task: string }[]>`
      select task from store.task where ended_at < now() - make_interval(secs => ${workLimits.retention}) limit ${batch}`,
  )
  let tasks = 0
  for (const { task } of over) tasks += Number(await removeTask(deps, parseTaskId(task)))
  const [held] = await database(
    (sql) => sql<{ bytes: string }[]>`select coalesce(sum(size), 0) as bytes from store.part where held_at is not null`,
  )
  return { parts, tasks, mail, heldBytes: Number(held?.bytes), newcomerBytes: await deps.room.sweep() }
}

/**
 * Rows and objects go together under the task's lock: an upload of the same part waits, and then stores it again. If this is
 * cut off, rows may remain without their objects, which every check finds out.
 */
function removeLooseParts({ database, objects }: SweepDeps, taskId: TaskId): Promise<number> {
  return underTaskLock(database, taskId, async (sql, task) => {
    const rows = await sql<{ sha256: string }[]>`
      delete from store.part p
      where task = ${task} and touched_at < now() - make_interval(secs => ${workLimits.looseParts})
        and not exists (select from store.bundle_part b where b.task = p.task and b.sha256 = p.sha256)
      returning sha256`
    for (const { sha256 } of rows) await objects.delete(partKey(taskId, sha256))
    return rows.length
  })
}

/** Notes when a task is first seen to have ended. Its retention begins then, never earlier than the end itself. */
async function recordEnds({ database, tasks }: SweepDeps): Promise<void> {
  const open = await database(
    (sql) =>
      sql<{ task: string }[]>`select task from store.task where ended_at is null order by random() limit ${batch}`,
  )
  for (const { task } of open) {
    const facts = await tasks.readTask(parseTaskId(task))
    if (!isLive(facts)) await database((sql) => sql`update store.task set ended_at = now() where task = ${task}`)
  }
}

async function removeTask({ database, objects, tasks }: SweepDeps, taskId: TaskId): Promise<boolean> {
  // Once more, in case a deep reorg took the end back.
  if (isLive(await tasks.readTask(taskId))) return false
  await underTaskLock(database, taskId, async (sql, task) => {
    await objects.deletePrefix(taskPrefix(taskId))
    await sql`delete from store.task where task = ${task}`
  })
  return true
}
