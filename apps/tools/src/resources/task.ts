import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { formatTaskId, markets, parseTaskId } from '@svc/protocol'
import { buildTaskAnswer } from '../taskAnswer.ts'
import type { ToolDeps } from '../tool.ts'
import { readContents } from './contents.ts'

/** How many tasks per market are listed. The tools list the rest. */
const listed = 10

/** Registers `svc://tasks/{id}`: a task as svc_get_task returns it. */
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
      description: 'A task as svc_get_task returns it. Open tasks are listed.',
      mimeType: 'application/json',
    },
    async (uri, { id }) => readContents(uri, () => buildTaskAnswer(deps, parseTaskId(String(id)))),
  )
}
