import { markets } from '@svc/protocol'
import type { Sql } from 'postgres'
import { type FollowOptions, followIndex } from './follow.ts'
import { followMail } from './records/arrivals.ts'

export interface FollowerLoopOptions extends Omit<FollowOptions, 'market'> {
  sql: Sql
  pollMs: number
  stopping: AbortSignal
  onWritten: (kinds: readonly string[]) => void
  /** Called when every market was read up to its last block, with the timestamp of the older one. */
  onFollowed: (timestamp: number) => void
  onError: (error: Error) => void
}

/** Follows the index of both markets, and the mailboxes, until it is stopped: at once when the index says that it has new blocks, and every `pollMs`. */
export async function runFollowerLoop(options: FollowerLoopOptions): Promise<void> {
  const { sql, pollMs, stopping, onWritten, onFollowed, onError } = options
  let wake = () => {}
  let isWoken = false
  const notify = () => {
    isWoken = true
    wake()
  }
  stopping.addEventListener('abort', notify, { once: true })
  // It reconnects by itself; until then, polling is enough.
  const listening = sql.listen('svc_index', notify).catch(onError)
  while (!stopping.aborted) {
    isWoken = false
    try {
      const reports = []
      for (const market of markets) {
        const report = await followIndex(sql, { ...options, market })
        onWritten(report.written)
        reports.push(report)
      }
      onWritten(await followMail(sql, options.siteUrl))
      if (!reports.every(({ isAtEnd }) => isAtEnd)) continue
      const timestamps = reports.flatMap(({ timestamp }) => timestamp ?? [])
      if (timestamps.length === reports.length) onFollowed(Math.min(...timestamps))
    } catch (error) {
      if (!stopping.aborted) onError(error as Error)
      await pause(Math.min(pollMs, 500))
      continue
    }
    if (!isWoken) await pause(pollMs)
  }
  await listening

  async function pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    wake = resolve
    await promise
    clearTimeout(timer)
  }
}
