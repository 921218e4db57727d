import type { MarketParams } from '@svc/protocol'
import type { DisputeEntry, TaskEntry } from './suite/state.ts'

/** Computes the last second at which a task can be claimed. */
export const computeClaimCutoff = (claimDeadline: number, cutoff: number): number => claimDeadline - cutoff

/** Lists the deadlines that matter in the current state of a task. */
export function listDeadlines(
  { claimDeadline, claimedAt, deadline, reviewEnd, state }: Readonly<TaskEntry>,
  dispute: Readonly<DisputeEntry> | undefined,
  { claimCutoff, vetWindow, fundingWindow }: MarketParams,
): number[] {
  if (state === 'POSTED') return [computeClaimCutoff(claimDeadline, claimCutoff)]
  if (state === 'CLAIMED') return [vetWindow, fundingWindow, fundingWindow + vetWindow].map((each) => claimedAt + each)
  if (state === 'ACTIVE') return [reviewEnd === 0 ? deadline : reviewEnd]
  if (state !== 'DISPUTED' || !dispute) return []
  const { consentEnd, seatEnd, evidenceEnd, rulingEnd, appealEnd } = dispute
  return [consentEnd, seatEnd, evidenceEnd, rulingEnd, appealEnd]
}
