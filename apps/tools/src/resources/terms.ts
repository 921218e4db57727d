import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { parseTaskId, termsWire } from '@svc/protocol'
import { z } from 'zod'
import { buildMeta } from '../fields.ts'
import { readTask } from '../taskAnswer.ts'
import type { ToolDeps } from '../tool.ts'
import { toUntrustedFields } from '../untrusted.ts'
import { readContents } from './contents.ts'

/** Registers `svc://terms/{id}`: the terms that bind both parties of a task. */
export function registerTermsResource(server: McpServer, deps: ToolDeps): void {
  server.registerResource(
    'terms',
    new ResourceTemplate('svc://terms/{id}', { list: undefined }),
    {
      title: 'The terms of a task',
      description: 'The numbers and hashes that make up a task’s digest.',
      mimeType: 'application/json',
    },
    async (uri, { id }) =>
      readContents(uri, async () => {
        const taskId = parseTaskId(String(id))
        const { detail, block } = await readTask(deps, taskId)
        return {
          terms: z.encode(termsWire, detail.terms),
          worker: detail.task.worker,
          ...(detail.task.worker && { settlementDigest: detail.task.settlementDigest }),
          ...(detail.text !== null && toUntrustedFields(detail.text)),
          meta: buildMeta(block),
        }
      }),
  )
}
