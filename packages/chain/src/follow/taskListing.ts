import type { Market } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import type { MarketDeployment } from '../market.ts'
import type { Providers } from '../providers.ts'

/** Lists the numbers of tasks that may still run, page by page. */
export interface TaskListing {
  name: 'chain' | 'api'
  /** A null cursor asks for the first page; a null `next` marks the last one. */
  listPage: (market: Market, cursor: string | null) => Promise<{ numbers: readonly bigint[]; next: string | null }>
}

/** As many as one call of the contracts should return. */
export const taskPageSize = 100

/** Creates a listing of every number up to the market's task count. The tasks themselves say which of them still run. */
export function createChainListing(providers: Providers, { markets }: MarketDeployment): TaskListing {
  return {
    name: 'chain',
    async listPage(market, cursor) {
      const last =
        cursor === null
          ? await providers.read(({ client }) =>
              client.readContract({
                address: markets[market].taskRegistry,
                abi: taskRegistryAbi,
                functionName: 'taskCount',
              }),
            )
          : BigInt(cursor)
      const size = Math.min(taskPageSize, Number(last))
      const numbers = Array.from({ length: size }, (_, index) => last - BigInt(index))
      const next = last - BigInt(size)
      return { numbers, next: next > 0n ? String(next) : null }
    },
  }
}
