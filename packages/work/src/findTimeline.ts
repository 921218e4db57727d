import { apiEndpoints, type ClientOptions, createClient } from '@svc/client'
import { formatTaskId, type Market } from '@svc/protocol'

/**
 * Creates a function that asks the API in which blocks a task has events. With it, a reader of the chain finds them at once,
 * however old the task is. Nothing else of the answer is used, so an API cannot make up what happened.
 *
 * @example
 * ```ts
 * const reader = createChainReader(providers, deployment, { findTimeline: createTimelineFinder({ baseUrl }) })
 * ```
 */
export function createTimelineFinder(options: ClientOptions) {
  const api = createClient(apiEndpoints, options)
  return async (market: Market, number: bigint): Promise<{ blocks: bigint[]; upTo: bigint }> => {
    const { body } = await api.getTask({ id: formatTaskId({ market, number }) })
    return {
      blocks: body.task.timeline.map(({ blockNumber }) => BigInt(blockNumber)),
      upTo: BigInt(body.meta.block.number),
    }
  }
}
