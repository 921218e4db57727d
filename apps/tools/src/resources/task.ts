import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { formatTaskId, markets, parseTaskId } from '@svc/protocol'
import { taskAnswer } from '../taskAnswer.ts'
import type { ToolDeps } from '../tool.ts'
import { contents } from './contents.ts'

/** So many of each market are listed: the rest is found with the tools. */
const listed = 10

/** Adds `svc://tasks/{id}`: a task as svc_get_task answers. */
export function registerTaskResource(server: McpServer, deps: ToolDeps): void {
  const list = async () => {
    const pages = await Promise.all(
      markets.map(async (market) => {
        const { tasks } = await deps.reader.listOpen(market, { limit: listed })
        return tasks.map(({ number }) => formatTaskId({ market, number }))
      }),
    )
    return {
      resources: pages.flat().map((id) => ({ uri: `svc://tasks/${id}`, name: id, mimeType: 'application/json' })),
    }
  }
  server.registerResource(
    'task',
    new ResourceTemplate('svc://tasks/{id}', { list }),
    {
      title: 'A task',
      description: 'A task as svc_get_task answers; the open ones are listed.',
      mimeType: 'application/json',
    },
    async (uri, { id }) => contents(uri, () => taskAnswer(deps, parseTaskId(String(id)))),
  )
}
