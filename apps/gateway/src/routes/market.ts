import type { At, TaskPage } from '@svc/chain'
import { taskJsonOf } from '@svc/protocol/http'
import { cursorOf, listQuery, type Parsed } from '@svc/serve'
import { defineRead, type ReadDeps } from '../route.ts'

type Query = Parsed<typeof listQuery>

const defineList = (path: `/${string}`, page: (query: Query, deps: ReadDeps) => Promise<At<TaskPage>>) =>
  defineRead({
    path,
    query: listQuery,
    marketOf: ({ market }) => market,
    async read(query, deps) {
      const { tasks, next, block } = await page(query, deps)
      const { taskRegistry } = deps.places.markets[query.market]
      return {
        body: { tasks: tasks.map((task) => taskJsonOf(task, query.market, taskRegistry)) },
        meta: { nextCursor: cursorOf(next) },
        block,
      }
    },
  })

const listOpen = ({ market, limit, cursor }: Query, { reader }: ReadDeps) =>
  reader.listOpen(market, { limit, before: cursor })

/** GET /v1/market/open: claimable tasks, newest first. */
export const marketOpen = defineList('/v1/market/open', listOpen)

/** GET /v1/discovery/open: the same for a price, where the operator set one. */
export const marketDiscovery = defineList('/v1/discovery/open', listOpen)

/** GET /v1/market/recent: tasks in any state, newest first. */
export const marketRecent = defineList('/v1/market/recent', ({ market, limit, cursor }, { reader }) =>
  reader.listRecent(market, { limit, before: cursor }),
)
