import { useApi } from '../api.ts'
import { useMarket } from '../useMarket.ts'
import { useWorkKeys } from '../work/useWorkKeys.ts'
import { listSharing, useWorkSharing } from './useWorkSharing.ts'

/** At most so many at once: each costs a read of its task. */
const maxTasks = 5

/** Shares the work that waits for a key, and that of open disputes, from any page: the task need not be open. Shows nothing. */
export function ShareWork() {
  const { wallet: address = '', isSignedIn } = useWorkKeys()
  const { body } = useApi('listInbox', { address, market: useMarket() }, isSignedIn)
  if (!isSignedIn) return null
  const isDisputed = (body?.entries ?? []).flatMap(({ taskId, role, disputePhase }) =>
    (role === 'poster' || role === 'worker') && disputePhase !== null ? [taskId] : [],
  )
  const ids = [...new Set([...listSharing(address), ...isDisputed])].slice(0, maxTasks)
  return ids.map((id) => <ShareTask key={id} id={id} />)
}

function ShareTask({ id }: { id: string }) {
  const { body } = useApi('getTask', { id })
  return body ? <Share of={body.task} /> : null
}

function Share({ of: task }: { of: Parameters<typeof useWorkSharing>[0] }) {
  useWorkSharing(task)
  return null
}
