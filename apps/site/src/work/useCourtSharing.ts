import type { TaskDetailJson } from '@svc/client'
import { useQuery } from '@tanstack/react-query'
import { getAddress } from 'viem'
import { contracts } from '../deployments.ts'
import { listReferences } from './listReferences.ts'
import { loadEngine } from './loadEngine.ts'
import { useStore } from './useStore.ts'
import { createSigning, useWorkKeys } from './useWorkKeys.ts'

const pollMs = 15_000

/**
 * While a task is in dispute, shares its work with the judges, and with the clerk of the store, who passes it on to judges that
 * are seated later. Runs on the page of a party that is signed in, and asks nothing. A judge who has not signed in yet is waited for.
 */
export function useCourtSharing(task: TaskDetailJson): void {
  const store = useStore(task.market)
  const { keys, isSignedIn, wallet } = useWorkKeys()
  const { dispute, poster, worker } = task
  const isParty = [poster, worker].some((each) => each?.toLowerCase() === wallet?.toLowerCase())
  const isOpen = dispute !== null && dispute.phase !== 'CLOSED'
  const judges = isOpen ? listJudges(task) : []
  const references = isOpen ? listReferences(task) : []
  useQuery({
    queryKey: [{ share: references.map(({ hash }) => hash), with: judges, by: keys?.statement?.signature ?? null }],
    enabled: isOpen && isParty && isSignedIn && Boolean(store) && references.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: 2,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => (state.data?.isWaiting ? pollMs : false),
    queryFn: async () => {
      if (!store || !keys) return { isWaiting: false }
      const { getStoreConnection, findCourtReaders, grantTaskBundles } = await loadEngine()
      const connection = getStoreConnection(store, keys)
      const { readers, waiting } = await findCourtReaders(connection, judges, await createSigning(keys.wallet))
      await grantTaskBundles(connection, references, readers)
      return { isWaiting: waiting.length > 0 }
    },
  })
}

/** Who judges now: the seated judge, and the final court once the case is there. */
function listJudges({ dispute, market }: TaskDetailJson) {
  const { finalCourt } = contracts[market]
  const judges = [dispute?.judge, dispute?.phase === 'COURT' ? finalCourt : null]
  return judges.flatMap((judge) => (judge ? [getAddress(judge)] : []))
}
