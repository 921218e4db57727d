import { answersWithin } from '@svc/serve'

/** The readiness of a replica, for load balancers and operators. */
export interface NotifierReadiness {
  ready: boolean
  draining: boolean
  /** What does not answer. */
  down: readonly 'database'[]
  /** Age of the last block that the follower has read; null before the first one. */
  behindSeconds: number | null
}

export interface NotifierHealthOptions {
  /** Settles when the database answers. */
  ping: () => Promise<unknown>
  /** Aborted when the replica is about to stop. */
  stopping: AbortSignal
  /** Timestamp of the last block that the follower has read, in unix seconds; null before the first one. */
  readBlockTime: () => number | null
  now: () => number
  pingMs?: number
}

/** A block that is older means that nobody hears of what happens now. */
const maxBehindSeconds = 60

/** A replica is ready while it is not stopping, its database answers, and the block that it has followed is recent. */
export function createNotifierHealth({
  ping,
  stopping,
  readBlockTime,
  now,
  pingMs = 1_000,
}: NotifierHealthOptions): () => Promise<NotifierReadiness> {
  return async () => {
    const answers = await answersWithin(pingMs, ping)
    const at = readBlockTime()
    const behindSeconds = at === null ? null : Math.max(0, Math.round(now() / 1_000 - at))
    return {
      ready: answers && !stopping.aborted && behindSeconds !== null && behindSeconds <= maxBehindSeconds,
      draining: stopping.aborted,
      down: answers ? [] : ['database'],
      behindSeconds,
    }
  }
}
