import { parseTaskId } from '@svc/protocol'
import { z } from 'zod'
import { createAskApi } from './askApi.ts'
import { type ToolDeps, ToolError } from './tool.ts'

const searchJson = z.object({
  tasks: z.array(z.object({ id: z.string().max(60) })).max(100),
  meta: z.object({ nextCursor: z.nullable(z.string().max(200)) }),
})

/** Creates a finder. Only numbers of tasks are used: what the API says about them is read from the chain. */
export function createTaskFinder(apiUrl: string | undefined): ToolDeps['findTasks'] {
  return async ({ market, words, tags, minPayTokWei, maxPayTokWei, ...same }) => {
    if (apiUrl === undefined) throw notServed('No API is set.')
    const query = {
      market,
      q: words,
      tags: tags?.join(','),
      minPayTokWei: minPayTokWei?.toString(),
      maxPayTokWei: maxPayTokWei?.toString(),
      ...same,
    }
    const answer = await createAskApi(apiUrl)('/api/market/search', query).catch(() => null)
    const read = searchJson.safeParse(answer)
    if (!read.success) throw notServed()
    const ids = read.data.tasks.map(({ id }) => parseTaskId(id))
    return {
      numbers: ids.filter((id) => id.market === market).map(({ number }) => number),
      nextCursor: read.data.meta.nextCursor,
    }
  }
}

const notServed = (reason = 'The API of the market does not answer this search.') =>
  new ToolError(
    'INDEX_REQUIRED',
    reason,
    'Check the cursor and SVC_API_URL, or call svc_list_open_tasks, which needs no API.',
    true,
  )
