import type { MarketParams } from '@svc/protocol'
import { noticeTime } from '@svc/protocol/internal/tasks'
import type { DisputeEntry, TaskEntry } from './suite/state.ts'

/** Computes the last second at which a task can be claimed. */
export const computeClaimCutoff = (claimDeadline: number, cutoff: number): number => claimDeadline - cutoff

/** Computes how long a receipt for a delivery now must last: until the end of the longest dispute, also after a notice. */
export function computeReceiptEnd(task: Readonly<TaskEntry>, params: MarketParams, now: number): number {
  const { evidenceWindow, rulingWindow, appealWindow, courtWindow } = params
  return now + noticeTime(task, params) + evidenceWindow + rulingWindow + appealWindow + courtWindow
}

/** Lists the deadlines that matter in the current state of a task. */
export function listDeadlines(
  task: Readonly<TaskEntry>,
  dispute: Readonly<DisputeEntry> | undefined,
  params: MarketParams,
): number[] {
  const { claimDeadline, claimedAt, deadline, reviewEnd, store, receipted, state } = task
  const { claimCutoff, vetWindow, fundingWindow } = params
  if (state === 'POSTED') return [computeClaimCutoff(claimDeadline, claimCutoff)]
  if (state === 'CLAIMED') return [vetWindow, fundingWindow].map((each) => claimedAt + each)
  if (state === 'ACTIVE') {
    if (reviewEnd === 0) return [deadline]
    return store && !receipted ? [reviewEnd, reviewEnd + noticeTime(task, params)] : [reviewEnd]
  }
  if (state !== 'DISPUTED' || !dispute) return []
  const { consentEnd, evidenceEnd, rulingEnd, appealEnd, courtEnd } = dispute
  return [consentEnd, evidenceEnd, rulingEnd, appealEnd, courtEnd]
}
