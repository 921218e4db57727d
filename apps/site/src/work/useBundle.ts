import { formatTaskId } from '@svc/protocol'
import type { ExpectedBundle } from '@svc/protocol/work'
import { useQuery } from '@tanstack/react-query'
import { workErrorText } from '../text/workErrors.ts'
import { describeWorkError, type WorkProblem } from './describeWorkError.ts'
import type { AnnouncedBundle, BundleView } from './engine.ts'
import { loadEngine } from './loadEngine.ts'
import { useStore } from './useStore.ts'
import { useWorkKeys } from './useWorkKeys.ts'

const pollMs = 15_000

export interface BundleQuery {
  /** Everything in it was checked against the hash on chain. */
  bundle: BundleView | undefined
  isPending: boolean
  isFetching: boolean
  /** Why it cannot be shown. If its kind is `signIn`, `signIn` is the way out; otherwise `retry` may be. */
  problem: WorkProblem | null
  retry: () => void
  signIn: () => Promise<unknown>
}

/** Fetches, checks and decrypts what a hash on chain stands for. It is read once: a hash has one content. */
export function useBundle(reference: ExpectedBundle | AnnouncedBundle, enabled = true): BundleQuery {
  const store = useStore(reference.taskId.market)
  const { keys, isSignedIn, signIn } = useWorkKeys()
  const { data, error, isPending, isFetching, refetch } = useQuery({
    // The whole reference: the same hash can be delivered again, for another revision, and must be checked again.
    queryKey: [
      { bundle: { ...reference, taskId: formatTaskId(reference.taskId) }, for: keys?.statement?.signature ?? null },
    ],
    enabled: enabled && Boolean(store) && keys !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
    // Somebody may share it while the page is open.
    refetchInterval: ({ state }) => (state.error && describeWorkError(state.error).kind === 'locked' ? pollMs : false),
    queryFn: async () => {
      if (!store) return null
      return (await loadEngine()).viewBundle(store, isSignedIn ? (keys ?? null) : null, reference)
    },
  })
  const problem: WorkProblem | null =
    store === null ? { kind: 'noStore', ...workErrorText.noStore } : error ? describeWorkError(error) : null
  return {
    bundle: data ?? undefined,
    isPending: isPending && problem === null,
    isFetching,
    problem,
    retry: () => void refetch(),
    signIn,
  }
}
