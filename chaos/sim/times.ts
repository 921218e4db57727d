import type { MarketParams } from '@svc/protocol'
import type { DisputeEntry, TaskEntry } from './suite/state.ts'

/** Until when a task may be claimed. */
export const claimCutoffOf = (claimDeadline: number, cutoff: number): number => claimDeadline - cutoff

/** Every time at which something about a task changes by itself. */
export function limitsOf(
  { claimDeadline, claimedAt, deadline, reviewEnd, state }: Readonly<TaskEntry>,
  dispute: Readonly<DisputeEntry> | undefined,
  { claimCutoff, vetWindow, fundingWindow }: MarketParams,
): number[] {
  if (state === 'POSTED') return [claimCutoffOf(claimDeadline, claimCutoff)]
  if (state === 'CLAIMED') return [vetWindow, fundingWindow, fundingWindow + vetWindow].map((each) => claimedAt + each)
  if (state === 'ACTIVE') return [reviewEnd === 0 ? deadline : reviewEnd]
  if (state !== 'DISPUTED' || !dispute) return []
  const { consentEnd, seatEnd, evidenceEnd, rulingEnd, appealEnd } = dispute
  return [consentEnd, seatEnd, evidenceEnd, rulingEnd, appealEnd]
}
