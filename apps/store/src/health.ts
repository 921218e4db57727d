import { answersWithin } from '@svc/serve'

/** The readiness of a replica, for load balancers and operators. */
export interface StoreReadiness {
  ready: boolean
  draining: boolean
  /** What does not answer. */
  down: readonly ('database' | 'objects' | 'chain')[]
  /** Whether the site names a store with another key: receipts of this one would not count. */
  keyDiffers: boolean
  /** Why RPC providers are not used, one sentence each. */
  refused: readonly string[]
}

export interface StoreHealthOptions {
  /** Each settles when the dependency answers. */
  pings: Readonly<Record<StoreReadiness['down'][number], () => Promise<unknown>>>
  /** Aborted when the replica is about to stop. */
  stopping: AbortSignal
  listRefused?: () => readonly string[]
  /** Whether the site was seen to name another key. */
  doesKeyDiffer?: () => boolean
  pingMs?: number
}

/**
 * A replica is ready while it is not stopping, its tables are there, the object store takes a write, and its key is the one that the
 * site names.
 */
export function createStoreHealth({
  pings,
  stopping,
  listRefused = () => [],
  doesKeyDiffer = () => false,
  pingMs = 3_000,
}: StoreHealthOptions): () => Promise<StoreReadiness> {
  let pending: Promise<StoreReadiness> | null = null
  const assess = async (): Promise<StoreReadiness> => {
    const names = ['database', 'objects', 'chain'] as const
    const found = await Promise.all(names.map((name) => answersWithin(pingMs, pings[name])))
    const down = names.filter((_, index) => !found[index])
    const draining = stopping.aborted
    const keyDiffers = doesKeyDiffer()
    const ready = !draining && !keyDiffers && !down.includes('database') && !down.includes('objects')
    return { ready, draining, down, keyDiffers, refused: listRefused() }
  }
  // Concurrent callers share one round of pings.
  return () => {
    pending ??= assess().finally(() => {
      pending = null
    })
    return pending
  }
}
