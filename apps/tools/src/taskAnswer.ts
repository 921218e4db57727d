import { createSigningContext, type TaskDetail } from '@svc/chain'
import { formatTaskDetail } from '@svc/operations'
import {
  computeSettlementDigest,
  formatAmount,
  formatDuration,
  formatTaskId,
  formatTime,
  type TaskId,
} from '@svc/protocol'
import { claimPolicyLabels } from '@svc/protocol/internal/tasks'
import type { Address } from 'viem'
import { buildMeta, toTimeFields, toTokFields } from './fields.ts'
import { type ToolDeps, ToolError } from './tool.ts'
import { toUntrustedFields } from './untrusted.ts'

/** The maximum number of events in a result. A block explorer shows the rest. */
const maxTimeline = 40

/** Reads a task. Throws `ToolError` if it does not exist. */
export async function readTask({ reader }: Pick<ToolDeps, 'reader'>, { market, number }: TaskId) {
  const { detail, block } = await reader.getTask(market, number)
  if (!detail) throw createTaskNotFoundError({ market, number })
  return { detail, block }
}

export const createTaskNotFoundError = (id: TaskId) =>
  new ToolError(
    'TASK_NOT_FOUND',
    `Task ${formatTaskId(id)} does not exist.`,
    'Call svc_list_recent_tasks for existing ids. The market is part of the id.',
  )

/** Builds the full view of a task. Text of the poster is only in `untrusted` fields. */
export async function buildTaskAnswer(
  deps: Pick<ToolDeps, 'reader' | 'deployments'>,
  id: TaskId,
  { wallet, withTimeline = false }: { wallet?: Address | undefined; withTimeline?: boolean } = {},
) {
  const { detail, block } = await readTask(deps, id)
  const { deployments } = deps
  const contracts = { ...deployments.shared, ...deployments.markets[id.market] }
  const { text: _, terms: __, timeline, ...task } = formatTaskDetail(detail, id.market, contracts, block.timestamp)
  const { total, funded, released, refunded } = detail.task
  return {
    task: {
      ...task,
      ...toTokFields('totalAmount', total),
      ...toTokFields('funded', funded),
      ...toTokFields('released', released),
      ...toTokFields('refunded', refunded),
      milestones: task.milestones.map((each) => ({
        ...each,
        amount: formatAmount(BigInt(each.amountTokWei), 'tok'),
        duration: formatDuration(each.durationSeconds),
      })),
      claimPolicyText: claimPolicyLabels[task.claimPolicy],
      ...(task.state === 'POSTED' && toTimeFields('claimableUntil', task.claimableUntil)),
      deadlines: Object.fromEntries(
        Object.entries(task.deadlines).flatMap(([name, at]) =>
          at === null ? [] : [[name, { at, time: formatTime(at) }] as const],
        ),
      ),
      ...(withTimeline && { timeline: timeline.slice(-maxTimeline).map(({ args: _, ...event }) => event) }),
      ...(detail.text !== null && toUntrustedFields(detail.text)),
      ...(wallet && !detail.task.worker && buildClaimDigest(deps, id, detail, wallet)),
    },
    meta: buildMeta(block),
  }
}

/** Computes what a wallet agrees to by claiming: the digest of the terms with the wallet as worker. */
function buildClaimDigest(
  { deployments }: Pick<ToolDeps, 'deployments'>,
  id: TaskId,
  detail: TaskDetail,
  wallet: Address,
) {
  const digest = computeSettlementDigest(createSigningContext(deployments, id.market), detail.terms, wallet)
  return { claimDigest: digest }
}
