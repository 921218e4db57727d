import { open } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Runs one piece of work at a time over all processes that name the same file. The lock is the operating system's, held through
 * SQLite: it ends with its process, however that ends. Throws `BusyError` when others do not let go in time.
 */
export async function locked<T>(file: string, work: () => Promise<T>, waitMs = 10_000): Promise<T> {
  await (await open(file, 'a', 0o600)).close()
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    const until = Date.now() + waitMs
    while (!taken(lock)) {
      if (Date.now() >= until) throw new BusyError(waitMs)
      await wait(10)
    }
    return await work()
  } finally {
    lock.close()
  }
}

function taken(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode === busy) return false
    throw error
  }
}

/** SQLITE_BUSY */
const busy = 5

/** Another process writes the same transcripts and does not end. */
export class BusyError extends Error {
  override name = 'BusyError'

  constructor(waitMs: number) {
    super(`Another process held the transcripts for ${waitMs} ms: nothing was written. Try again when it is done.`)
  }
}
