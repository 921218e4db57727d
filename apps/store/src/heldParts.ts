import { formatTaskId, type TaskId } from '@svc/protocol'
import type { StoreDeps } from './deps.ts'

/** The key of a part. It begins with the task, so that all parts of a task can be deleted together. */
export const partKey = (taskId: TaskId, sha256: string): string => `${taskPrefix(taskId)}${sha256}`

/** What the keys of all parts of a task begin with. */
export const taskPrefix = ({ market, number }: TaskId): string => `${market}/${number}/`

/** How many parts the object store is asked about at once. */
const atOnce = 16

/**
 * Finds the parts that are not held, by asking the object store about each: a row may be older than a restored bucket. Without
 * a size, any complete part with the hash is held.
 */
export async function findMissingParts(
  { parts, objects }: Pick<StoreDeps, 'parts' | 'objects'>,
  taskId: TaskId,
  asked: readonly { sha256: string; size?: number }[],
): Promise<string[]> {
  const held = await parts.listHeld(
    taskId,
    asked.map(({ sha256 }) => sha256),
  )
  const missing: string[] = []
  for (let at = 0; at < asked.length; at += atOnce) {
    const checks = asked.slice(at, at + atOnce).map(async ({ sha256, size = held.get(sha256) }) => {
      if (!held.has(sha256) || held.get(sha256) !== size) return sha256
      const found = await objects.head(partKey(taskId, sha256))
      return found?.size === size ? null : sha256
    })
    missing.push(...(await Promise.all(checks)).filter((each) => each !== null))
  }
  return missing
}

/** For messages. */
export const describePart = (taskId: TaskId, sha256: string): string => `part ${sha256} of ${formatTaskId(taskId)}`
