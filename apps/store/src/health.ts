import { answersWithin } from '@svc/serve'

/** The readiness of a replica, for load balancers and operators. */
export interface StoreReadiness {
  ready: boolean
  draining: boolean
  /** What does not answer. */
  down: readonly ('database' | 'objects' | 'chain')[]
  /** Why RPC providers are not used, one sentence each. */
  refused: readonly string[]
}

export interface StoreHealthOptions {
  /** Each settles when the dependency answers. */
  pings: Readonly<Record<StoreReadiness['down'][number], () => Promise<unknown>>>
  /** Aborted when the replica is about to stop. */
  stopping: AbortSignal
  listRefused?: () => readonly string[]
  pingMs?: number
}

/** A replica is ready while it is not stopping and can tell whether bytes are held: without database and objects it cannot. */
export function createStoreHealth({
  pings,
  stopping,
  listRefused = () => [],
  pingMs = 1_000,
}: StoreHealthOptions): () => Promise<StoreReadiness> {
  let pending: Promise<StoreReadiness> | null = null
  const assess = async (): Promise<StoreReadiness> => {
    const names = ['database', 'objects', 'chain'] as const
    const found = await Promise.all(names.map((name) => answersWithin(pingMs, pings[name])))
    const down = names.filter((_, index) => !found[index])
    const draining = stopping.aborted
    const ready = !draining && !down.includes('database') && !down.includes('objects')
    return { ready, draining, down, refused: listRefused() }
  }
  // Concurrent callers share one round of pings.
  return () => {
    pending ??= assess().finally(() => {
      pending = null
    })
    return pending
  }
}
