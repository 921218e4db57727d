import type { MarketParams } from '@svc/protocol'
import type { DisputeEntry, TaskEntry } from './suite/state.ts'

/** Computes the last second at which a task can be claimed. */
export const computeClaimCutoff = (claimDeadline: number, cutoff: number): number => claimDeadline - cutoff

/** Lists the deadlines that matter in the current state of a task. */
export function listDeadlines(
  { claimDeadline, claimedAt, deadline, reviewEnd, reviewWindow, store, receipted, state }: Readonly<TaskEntry>,
  dispute: Readonly<DisputeEntry> | undefined,
  { claimCutoff, vetWindow, fundingWindow }: MarketParams,
): number[] {
  if (state === 'POSTED') return [computeClaimCutoff(claimDeadline, claimCutoff)]
  if (state === 'CLAIMED') return [vetWindow, fundingWindow].map((each) => claimedAt + each)
  if (state === 'ACTIVE') {
    if (reviewEnd === 0) return [deadline]
    return store && !receipted ? [reviewEnd, reviewEnd + reviewWindow] : [reviewEnd]
  }
  if (state !== 'DISPUTED' || !dispute) return []
  const { consentEnd, evidenceEnd, rulingEnd, appealEnd, courtEnd } = dispute
  return [consentEnd, evidenceEnd, rulingEnd, appealEnd, courtEnd]
}
