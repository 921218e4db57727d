import type { At, TaskPage } from '@svc/chain'
import { formatTaskId, type Market, marketParams, phaseOf } from '@svc/protocol'
import type { TaskRecord } from '@svc/protocol/records'
import { cursorOf } from '@svc/serve'
import { z } from 'zod'
import { market, meta, metaOf, timeFields, tokFields } from './fields.ts'
import { type ToolDeps, ToolError } from './tool.ts'
import { untrustedText } from './untrusted.ts'

/** What every list takes. Twenty rows are enough to choose from and leave an agent room to think. */
export const listInput = {
  market,
  limit: z.int().min(1).max(50).default(20),
  cursor: z.string().max(40).optional().describe('meta.nextCursor of the page before'),
}

/** What every list answers with, newest first. */
export const listOutput = z.looseObject({
  tasks: z.array(z.looseObject({ id: z.string(), state: z.string() })),
  meta,
})

/** A page of tasks with their titles. */
export async function answerList(
  { market, limit, cursor }: { market: Market; limit: number; cursor?: string | undefined },
  { readTexts }: Pick<ToolDeps, 'readTexts'>,
  read: (page: { limit: number; before: bigint | undefined }) => Promise<At<TaskPage>>,
) {
  const { tasks, next, block } = await read({ limit, before: positionOf(cursor) })
  const texts = await readTexts(market, tasks)
  return {
    tasks: tasks.map((task) => rowOf(task, market, block.timestamp, texts.get(task.number))),
    meta: { ...metaOf(market, block), nextCursor: cursorOf(next) },
  }
}

function rowOf(task: TaskRecord, market: Market, now: number, text: string | undefined) {
  return {
    id: formatTaskId({ market, number: task.number }),
    state: task.state,
    phase: phaseOf(task, marketParams[market], now) ?? 'SETTLED',
    ...tokFields('totalAmount', task.total),
    ...tokFields('funded', task.funded),
    ...tokFields('released', task.released),
    poster: task.poster,
    ...(task.worker && { worker: task.worker }),
    settlementDigest: task.settlementDigest,
    claimPolicy: task.claimPolicy,
    milestoneCount: task.milestones.length,
    ...(task.state === 'POSTED' && timeFields('claimDeadline', task.claimDeadline)),
    ...(text !== undefined && { untrustedTitle: untrustedText(text).untrustedTitle }),
  }
}

function positionOf(cursor: string | undefined): bigint | undefined {
  if (cursor === undefined) return undefined
  const digits = Buffer.from(cursor, 'base64url').toString('latin1')
  if (/^[1-9][0-9]{0,18}$/.test(digits)) return BigInt(digits)
  throw new ToolError(
    'INVALID_CURSOR',
    'The cursor was not given out by this list.',
    'Leave it out to begin at the newest task.',
  )
}
