import type { At, MarketReader, TaskPage } from '@svc/chain'
import { listMetaJson, taskJson, taskJsonOf } from '@svc/protocol/http'
import { cursorOf, listQuery, type Parsed, type Shape } from '@svc/serve'
import { z } from 'zod'
import { defineRead, type ReadRoute } from './route.ts'

/** Some tasks of one market, newest first. */
export const taskListJson = z.object({ tasks: z.array(taskJson), meta: listMetaJson })

interface TaskList<S extends Shape> extends Pick<ReadRoute, 'path' | 'summary' | 'tag'> {
  /** What it takes beside what every list takes. */
  query: S
  page: (query: Parsed<S & typeof listQuery>, reader: MarketReader) => Promise<At<TaskPage>>
}

/** A route that lists tasks of one market, newest first, page by page. */
export function defineTaskList<S extends Shape>({ query, page, ...described }: TaskList<S>): ReadRoute {
  return defineRead<S & typeof listQuery>({
    ...described,
    query: { ...query, ...listQuery },
    answer: taskListJson,
    marketOf: ({ market }) => market,
    async read(given, reader, { markets }) {
      const { tasks, next, block } = await page(given, reader)
      const { taskRegistry } = markets[given.market]
      return {
        body: { tasks: tasks.map((task) => taskJsonOf(task, given.market, taskRegistry)) },
        meta: { nextCursor: cursorOf(next) },
        block,
      }
    },
  })
}
