import { ChainReadError, LogRangeError } from '@svc/chain'
import { formatLedger, formatTrackRecord, operations, unavailable } from '@svc/operations'
import { decodeTaskText, formatTaskId } from '@svc/protocol'
import { findInboxEntry, findNextMoment } from '@svc/protocol/internal/steps'
import { implementRead } from './implementRead.ts'
import { addTextCost, readTaskPage } from './market.ts'

export const listTasksByPoster = implementRead(operations.listTasksByPoster)({
  addedCost: addTextCost,
  run: ({ address, ...input }, reader, deployments) =>
    readTaskPage(reader, { of: 'poster', wallet: address }, input, deployments),
})

export const listTasksByWorker = implementRead(operations.listTasksByWorker)({
  addedCost: addTextCost,
  run: ({ address, ...input }, reader, deployments) =>
    readTaskPage(reader, { of: 'worker', wallet: address }, input, deployments),
})

export const getLedger = implementRead(operations.getLedger)({
  async run({ address, market }, reader) {
    const { ledger, block } = await reader.getLedger(market, address)
    return { body: { address, market, ...formatLedger(ledger) }, block }
  },
})

export const getTrackRecord = implementRead(operations.getTrackRecord)({
  async run({ address, market }, reader) {
    const { block, ...found } = await reader.getTrackRecord(market, address).catch(explainRequiredIndex)
    return { body: formatTrackRecord(found, market), block }
  },
})

/** A later attempt would fail in the same way, so the answer says what is missing. */
function explainRequiredIndex(error: unknown): never {
  const isFinal = error instanceof LogRangeError || (error instanceof ChainReadError && !error.retryable)
  if (!isFinal) throw error
  const message =
    'The record of this wallet takes too many calls to read from the chain, and the index is not usable now.'
  throw unavailable('INDEX_REQUIRED', message, 30)
}

export const listInbox = implementRead(operations.listInbox)({
  async run({ address, market }, reader, { shared: { finalCourt } }) {
    const found = await reader.listInbox(market, address, address === finalCourt)
    const { tasks, arbitrator, truncated, block } = found
    const now = block.timestamp
    const entries = tasks.flatMap(({ task, dispute, text }) => {
      const taskId = { market, number: task.number }
      const entry = findInboxEntry({ taskId, task, dispute, finalCourt, arbitrator }, address, now)
      if (!entry) return []
      return {
        taskId: formatTaskId(taskId),
        title: text === null ? null : decodeTaskText(text).title,
        role: entry.role,
        state: task.state,
        disputePhase: task.state === 'DISPUTED' ? (dispute?.phase ?? null) : null,
        amountTokWei: String(task.milestones[task.current]?.amount ?? 0n),
        actions: entry.steps.map(({ action, until }) => ({ action: action.name, verb: action.verb, until })),
        urgent: entry.urgent,
        duty: entry.isDuty,
      }
    })
    // Sorting is stable, so the newest task stays first among equals.
    const last = Number.POSITIVE_INFINITY
    const sorted = entries.toSorted((a, b) => (a.urgent ?? last) - (b.urgent ?? last) || 0)
    const moments = tasks.flatMap(
      ({ task, dispute }) => findNextMoment({ market, number: task.number }, task, dispute, now) ?? [],
    )
    return {
      body: { address, market, entries: sorted, truncated },
      validUntil: moments.length > 0 ? Math.min(...moments) : null,
      block,
    }
  },
})
