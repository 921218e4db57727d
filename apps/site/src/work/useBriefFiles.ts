import type { TaskDetailJson } from '@svc/client'
import type { BriefFile } from '@svc/protocol/internal/work'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { findTaskFiles } from './briefBundles.ts'
import { loadEngine } from './loadEngine.ts'
import { useStore } from './useStore.ts'
import { useWorkKeys } from './useWorkKeys.ts'

const pollMs = 15_000

/** The files that the text of a task names, as far as this device can open them. They are looked for at once if `isMember`, otherwise by `look`. */
export function useBriefFiles(task: TaskDetailJson, files: readonly BriefFile[], isMember: boolean) {
  const store = useStore(task.market)
  const { keys, isSignedIn, signIn } = useWorkKeys()
  const queries = useQueryClient()
  const queryKey = [{ briefOf: task.id, worker: task.worker, by: isSignedIn ? keys?.statement?.signature : null }]
  const queryFn = async () => {
    if (!store) return []
    const { getStoreConnection } = await loadEngine()
    return findTaskFiles(task, files, getStoreConnection(store, isSignedIn ? (keys ?? null) : null))
  }
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn,
    enabled: isMember && isSignedIn && Boolean(store),
    staleTime: pollMs,
    retry: false,
    refetchInterval: ({ state }) => (state.data?.every(({ bundle }) => bundle) ? false : pollMs),
  })
  return {
    store,
    found: data,
    error,
    isSignedIn,
    signIn,
    refetch: () => void refetch(),
    look: () => queries.fetchQuery({ queryKey, queryFn, staleTime: pollMs, retry: false }),
  }
}
