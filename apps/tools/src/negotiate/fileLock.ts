import { open } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { SvcError } from '@svc/protocol'

/**
 * Runs `work` under an exclusive lock that all processes share through a file. SQLite holds the lock of the operating system, so
 * it is released when the process ends, even after a crash. Throws `BusyError` if another process holds it too long.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>, waitMs = 10_000): Promise<T> {
  await (await open(file, 'a', 0o600)).close()
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    const until = Date.now() + waitMs
    while (!tryLock(lock)) {
      if (Date.now() >= until) throw new BusyError(waitMs)
      await wait(10)
    }
    return await work()
  } finally {
    lock.close()
  }
}

function tryLock(lock: DatabaseSync): boolean {
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

/** Thrown if another process holds the lock too long. */
export class BusyError extends SvcError {
  override name = 'BusyError'

  constructor(waitMs: number) {
    super(
      'BUSY',
      `Another process locked the transcripts for more than ${waitMs} ms. Nothing was written. Try again when it is done.`,
    )
  }
}
