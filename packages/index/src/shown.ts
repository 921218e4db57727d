import type { UnionOverview } from '@svc/chain'
import { creditCap, creditRate } from '@svc/protocol'
import { type FoldedTask, type UnionRecord, unionAt } from '@svc/protocol/fold'
import type { TaskRecord } from '@svc/protocol/records'

/** The record alone: what only the fold needs, the contracts do not show. */
export function publicTask({ criteriaHash: _, nonce: __, openDigest: ___, ...record }: FoldedTask): TaskRecord {
  return record
}

/** The Union as the vault's views show it at a moment after its last accrual. */
export function unionOverviewOf(stored: UnionRecord, timestamp: number): UnionOverview {
  const { stakingActive, totalStaked, totalCreditsIssued, rewardReserve } = unionAt(stored, timestamp, {
    creditCap,
    creditRate,
  })
  const creditsRemaining = creditCap - totalCreditsIssued
  return {
    stakingActive,
    totalStaked,
    totalCreditsIssued,
    creditsRemaining,
    creditIssuanceClosed: creditsRemaining === 0n,
    rewardReserve,
  }
}
