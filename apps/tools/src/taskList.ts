import type { At, TaskPage } from '@svc/chain'
import { formatCursor, params } from '@svc/operations'
import {
  accessFee,
  decodeTaskText,
  deriveTaskPhase,
  formatAmount,
  formatDuration,
  formatTaskId,
  type Market,
  marketParams,
} from '@svc/protocol'
import { formatShortAmount } from '@svc/protocol/internal/money'
import type { TaskSnapshot } from '@svc/protocol/internal/records'
import { type AgentRecord, computeReputationScore } from '@svc/protocol/records'
import { z } from 'zod'
import { buildMeta, listLimit, market, meta, toTimeFields, toTokFields } from './fields.ts'
import type { ToolDeps } from './tool.ts'
import { cleanUntrustedLine, toUntrustedFields } from './untrusted.ts'

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
  deps: Pick<ToolDeps, 'readTexts' | 'reader'>,
  read: (page: { limit: number; before: bigint | undefined }) => Promise<At<TaskPage>>,
) {
  const { tasks, next, block } = await read({ limit, before: cursor })
  return {
    tasks: await describeRows({ tasks, market, now: block.timestamp }, deps),
    meta: { ...buildMeta(block), nextCursor: formatCursor(next) },
  }
}

/** Describes tasks with what an agent decides by: what it keeps, how long it takes, and who pays. */
export async function describeRows(
  { tasks, market, now }: { tasks: readonly TaskSnapshot[]; market: Market; now: number },
  { readTexts, reader }: Pick<ToolDeps, 'readTexts' | 'reader'>,
) {
  const posters = [...new Set(tasks.map(({ poster }) => poster))]
  const [texts, { agents }] = await Promise.all([
    readTexts(market, tasks),
    posters.length > 0 ? reader.getAgents(market, posters) : { agents: [] },
  ])
  const records = new Map(posters.map((poster, index) => [poster, agents[index]]))
  return tasks.map((task) => {
    const [text, record] = [texts.get(task.number), records.get(task.poster)]
    const decision = task.state === 'POSTED' && record && describeDecision(task, record, text)
    return { ...formatUntrustedRow(task, market, now, text), ...decision }
  })
}

/** What a claim would be worth: pay of all milestones less the access fee, over the time that the terms give. */
function describeDecision({ total, milestones }: TaskSnapshot, poster: AgentRecord, text: string | undefined) {
  const seconds = milestones.reduce((sum, { duration }) => sum + BigInt(duration), 0n)
  const net = total - accessFee
  const { disputesLost, lapses, completedAsPoster } = poster
  return {
    netPay: formatAmount(net, 'tok'),
    netPayPerHour: formatShortAmount((net * 3_600n) / (seconds || 1n), 'tok'),
    duration: formatDuration(seconds),
    posterRecord: { score: computeReputationScore(poster), completed: completedAsPoster, disputesLost, lapses },
    ...(text !== undefined && {
      untrustedTags: (decodeTaskText(text).tags ?? []).map((tag) => cleanUntrustedLine(tag)),
    }),
  }
}

function formatUntrustedRow(task: TaskSnapshot, market: Market, now: number, text: string | undefined) {
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
