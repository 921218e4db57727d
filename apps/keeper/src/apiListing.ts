import { type TaskListing, taskPageSize } from '@svc/chain'
import { apiEndpoints, createClient } from '@svc/client'
import { liveStates, parseTaskId } from '@svc/protocol'

const live = new Set<string>(liveStates)

/** Creates a listing of the running tasks that the API knows. */
export function createApiListing(baseUrl: string): TaskListing {
  const api = createClient(apiEndpoints, { baseUrl })
  return {
    name: 'api',
    async listPage(market, cursor) {
      const { body } = await api.listRecentTasks({ market, limit: taskPageSize, ...(cursor !== null && { cursor }) })
      const running = body.tasks.filter(({ state }) => live.has(state))
      return { numbers: running.map(({ id }) => parseTaskId(id).number), next: body.meta.nextCursor }
    },
  }
}
