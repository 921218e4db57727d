import { answersWithin } from '@svc/serve'

/** The readiness of a replica, for load balancers and operators. */
export interface NotifierReadiness {
  ready: boolean
  draining: boolean
  /** What does not answer. */
  down: readonly 'database'[]
  /** Seconds since the follower last read the index up to its last block; null before the first time. */
  behindSeconds: number | null
}

export interface NotifierHealthOptions {
  /** Settles when the database answers. */
  ping: () => Promise<unknown>
  /** Aborted when the replica is about to stop. */
  stopping: AbortSignal
  /** When the follower was last at the end of the index, in unix milliseconds; null before the first time. */
  followedAt: () => number | null
  now: () => number
  pingMs?: number
}

/** A replica is ready while it is not stopping and its database answers. A follower that lags does not make it unready: the inbox still works. */
export function createNotifierHealth({
  ping,
  stopping,
  followedAt,
  now,
  pingMs = 1_000,
}: NotifierHealthOptions): () => Promise<NotifierReadiness> {
  return async () => {
    const answers = await answersWithin(pingMs, ping)
    const at = followedAt()
    return {
      ready: answers && !stopping.aborted,
      draining: stopping.aborted,
      down: answers ? [] : ['database'],
      behindSeconds: at === null ? null : Math.max(0, Math.round((now() - at) / 1_000)),
    }
  }
}
