import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { parseTaskId, termsWire } from '@svc/protocol'
import { z } from 'zod'
import { metaOf } from '../fields.ts'
import { readTask } from '../taskAnswer.ts'
import type { ToolDeps } from '../tool.ts'
import { untrustedText } from '../untrusted.ts'
import { contents } from './contents.ts'

/** Adds `svc://terms/{id}`: what both parties of a task are bound to. */
export function registerTermsResource(server: McpServer, deps: ToolDeps): void {
  server.registerResource(
    'terms',
    new ResourceTemplate('svc://terms/{id}', { list: undefined }),
    {
      title: 'The terms of a task',
      description: 'The numbers and hashes that a task’s digest is made of.',
      mimeType: 'application/json',
    },
    async (uri, { id }) =>
      contents(uri, async () => {
        const taskId = parseTaskId(String(id))
        const { detail, block } = await readTask(deps, taskId)
        return {
          terms: z.encode(termsWire as never, detail.terms as never),
          worker: detail.task.worker,
          settlementDigest: detail.task.settlementDigest,
          ...(detail.text !== null && untrustedText(detail.text)),
          meta: metaOf(taskId.market, block),
        }
      }),
  )
}
