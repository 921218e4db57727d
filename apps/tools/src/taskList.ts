import type { At, TaskPage } from '@svc/chain'
import { formatCursor, params } from '@svc/operations'
import { deriveTaskPhase, formatTaskId, type Market, marketParams } from '@svc/protocol'
import type { TaskSnapshot } from '@svc/protocol/internal/records'
import { z } from 'zod'
import { buildMeta, listLimit, market, meta, toTimeFields, toTokFields } from './fields.ts'
import type { ToolDeps } from './tool.ts'
import { toUntrustedFields } from './untrusted.ts'

/** The input of every list. */
export const listInput = {
  market,
  cursor: params.cursor.describe('`meta.nextCursor` of the previous page.'),
  limit: listLimit,
}

/** The output of every list. */
export const listOutput = z.looseObject({
  tasks: z
    .array(
      z.looseObject({
        id: z.string().describe('Task id: v2:<market>:<number>.'),
        state: z.string().describe('State on the chain.'),
      }),
    )
    .describe('Tasks. Titles are in untrustedTitle.'),
  meta,
})

/** Reads a page of tasks with their titles. */
export async function readTaskList(
  { market, limit, cursor }: { market: Market; limit: number; cursor?: bigint | undefined },
  { readTexts }: Pick<ToolDeps, 'readTexts'>,
  read: (page: { limit: number; before: bigint | undefined }) => Promise<At<TaskPage>>,
) {
  const { tasks, next, block } = await read({ limit, before: cursor })
  const texts = await readTexts(market, tasks)
  return {
    tasks: tasks.map((task) => formatUntrustedRow(task, market, block.timestamp, texts.get(task.number))),
    meta: { ...buildMeta(market, block), nextCursor: formatCursor(next) },
  }
}

export function formatUntrustedRow(task: TaskSnapshot, market: Market, now: number, text: string | undefined) {
  return {
    id: formatTaskId({ market, number: task.number }),
    state: task.state,
    phase: deriveTaskPhase(task, marketParams[market], now) ?? 'SETTLED',
    ...toTokFields('totalAmount', task.total),
    ...toTokFields('funded', task.funded),
    ...toTokFields('released', task.released),
    poster: task.poster,
    ...(task.worker && { worker: task.worker, settlementDigest: task.settlementDigest }),
    claimPolicy: task.claimPolicy,
    milestoneCount: task.milestones.length,
    ...(task.state === 'POSTED' && toTimeFields('claimableUntil', task.claimableUntil)),
    ...(text !== undefined && { untrustedTitle: toUntrustedFields(text).untrustedTitle }),
  }
}
