import { parseDescriptor } from '@svc/protocol/work'
import type { Database } from '@svc/serve'
import type { Hex } from 'viem'
import { partKey } from './heldParts.ts'
import type { ObjectStore } from './objects/objectStore.ts'
import { createBundleRecords } from './records/bundles.ts'
import { underTaskLock } from './records/parts.ts'

/** The longest reason. Readers see it. */
const maxReason = 500

/** What a removal deleted. */
export interface RemovalReport {
  task: string
  parts: number
}

/**
 * Removes a bundle after a notice: its descriptor, its grants, and the parts that no other bundle of the task uses. The hash, the
 * date and the reason stay. Returns null if the store does not hold the bundle. If it is cut off, call it again.
 */
export async function removeBundle(
  { database, objects }: { database: Database; objects: ObjectStore },
  bundle: Hex,
  reason: string,
): Promise<RemovalReport | null> {
  if (reason.trim() === '' || reason.length > maxReason) {
    throw new Error(`A reason of 1 to ${maxReason} characters is required. The parties see it.`)
  }
  const bytes = await createBundleRecords(database).find(bundle)
  if (!bytes) return null
  const { taskId, recipient } = parseDescriptor(bytes)
  return underTaskLock(database, taskId, async (sql, task) => {
    const rows = await sql<{ sha256: string }[]>`
      select sha256 from store.bundle_part p where bundle = ${bundle}
        and not exists (select from store.bundle_part o where o.task = p.task and o.sha256 = p.sha256 and o.bundle <> p.bundle)`
    await sql`
      insert into store.removal (bundle, task, is_public, reason)
      values (${bundle}, ${task}, ${recipient === null}, ${reason}) on conflict do nothing`
    for (const { sha256 } of rows) {
      await sql`insert into store.removed_part values (${task}, ${sha256}, ${bundle}) on conflict do nothing`
      await sql`delete from store.part where task = ${task} and sha256 = ${sha256}`
      // Objects go before the rows are committed: bytes without a row would never be found again.
      await objects.delete(partKey(taskId, sha256))
    }
    await sql`delete from store.bundle where hash = ${bundle}`
    return { task, parts: rows.length }
  })
}
