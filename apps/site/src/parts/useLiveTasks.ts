import type { Market } from '@svc/protocol'
import { liveStates } from '@svc/protocol/internal/tasks'
import { useApi } from '../api.ts'
import type { ListedTask } from './TaskList.tsx'

const limit = 50

/** The running tasks among the newest that a wallet works on or posted; undefined until both are known. */
export function useLiveTasks(address: string, market: Market): readonly ListedTask[] | undefined {
  const posted = useApi('listTasksByPoster', { address, market, limit, texts: 'true' }).body
  const worked = useApi('listTasksByWorker', { address, market, limit, texts: 'true' }).body
  if (!posted || !worked) return undefined
  return [...worked.tasks, ...posted.tasks].filter(({ state }) => liveStates.some((each) => each === state))
}
