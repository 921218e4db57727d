import type { TaskList } from '@svc/chain'
import { listMetaJson, taskJson } from '@svc/protocol/http'
import { cursorOf, listQuery, type Parsed, type Shape } from '@svc/serve'
import { z } from 'zod'
import { defineRead, type ReadRoute } from './read.ts'

/** Some tasks of one market, newest first. */
export const taskListJson = z.object({ tasks: z.array(taskJson), meta: listMetaJson })

interface TaskListRoute<S extends Shape> extends Pick<ReadRoute, 'path' | 'summary' | 'tag' | 'partial'> {
  /** What it takes beside what every list takes. */
  query: S
  list: (query: Parsed<S & typeof listQuery>) => TaskList
}

/** A route that lists tasks of one market, newest first, page by page. */
export function defineTaskList<S extends Shape>({ query, list, ...described }: TaskListRoute<S>): ReadRoute {
  return defineRead<S & typeof listQuery>({
    ...described,
    query: { ...query, ...listQuery },
    answer: taskListJson,
    marketOf: ({ market }) => market,
    async read(given, reader) {
      const { market, limit, cursor } = given
      const { text, marks, next, block } = await reader.listAsText(market, list(given), { limit, before: cursor })
      return { parts: ['{"tasks":[', text, ']'], marks, meta: { nextCursor: cursorOf(next) }, block }
    },
  })
}
