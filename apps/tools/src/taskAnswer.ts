import { signingContext, type TaskDetail } from '@svc/chain'
import { formatAmount, formatDuration, formatTaskId, formatTime, settlementDigest, type TaskId } from '@svc/protocol'
import { taskDetailJsonOf } from '@svc/protocol/http'
import type { Address } from 'viem'
import { metaOf, tokFields } from './fields.ts'
import { type ToolDeps, ToolError } from './tool.ts'
import { untrustedText } from './untrusted.ts'

/** More events than this are for a block explorer. */
const maxTimeline = 40

/** Reads a task that must be there. */
export async function readTask({ reader }: Pick<ToolDeps, 'reader'>, { market, number }: TaskId) {
  const { detail, block } = await reader.getTask(market, number)
  if (!detail) throw unknownTask({ market, number })
  return { detail, block }
}

export const unknownTask = (id: TaskId) =>
  new ToolError(
    'TASK_NOT_FOUND',
    `There is no task ${formatTaskId(id)}.`,
    'Call svc_list_recent_tasks for ids that exist; the market is part of the id.',
  )

/** A task with all that is known of it; words of its poster only in `untrusted` fields. */
export async function taskAnswer(deps: Pick<ToolDeps, 'reader' | 'deployments'>, id: TaskId, wallet?: Address) {
  const { detail, block } = await readTask(deps, id)
  const { deployments } = deps
  const registry = deployments.markets[id.market].taskRegistry
  const { text: _, terms: __, timeline, ...task } = taskDetailJsonOf(detail, id.market, registry, block.timestamp)
  const { total, funded, released, refunded } = detail.task
  return {
    task: {
      ...task,
      ...tokFields('totalAmount', total),
      ...tokFields('funded', funded),
      ...tokFields('released', released),
      ...tokFields('refunded', refunded),
      milestones: task.milestones.map((each) => ({
        ...each,
        amount: formatAmount(BigInt(each.amountTokWei), 'tok'),
        duration: formatDuration(each.durationSeconds),
      })),
      deadlines: Object.fromEntries(
        Object.entries(task.deadlines).flatMap(([name, at]) =>
          at === null ? [] : [[name, { at, time: formatTime(at) }] as const],
        ),
      ),
      timeline: timeline.slice(-maxTimeline),
      ...(detail.text !== null && untrustedText(detail.text)),
      ...(wallet && !detail.task.worker && claimDigest(deps, id, detail, wallet)),
    },
    meta: metaOf(id.market, block),
  }
}

/** What a wallet signs for by claiming: the digest of these terms with it as the worker. */
function claimDigest({ deployments }: Pick<ToolDeps, 'deployments'>, id: TaskId, detail: TaskDetail, wallet: Address) {
  const digest = settlementDigest(signingContext(deployments, id.market), detail.terms, wallet)
  return { claimDigest: digest }
}
