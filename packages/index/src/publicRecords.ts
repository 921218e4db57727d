import type { UnionOverview } from '@svc/chain'
import { creditCap, creditRate } from '@svc/protocol'
import { accrueUnion, type FoldedTask, type UnionRecord } from '@svc/protocol/fold'
import type { TaskRecord } from '@svc/protocol/records'

/** Removes the fields that only the fold needs and that the contracts do not return. */
export function toPublicTask(task: FoldedTask): TaskRecord {
  const { criteriaHash: _, nonce: __, openDigest: ___, posterReserve: ____, proofHash: _____, ...record } = task
  return record
}

/** Computes the Union as the vault's views return it at a time after its last accrual. */
export function computeUnionOverview(stored: UnionRecord, timestamp: number): UnionOverview {
  const { stakingActive, totalStaked, totalCreditsIssued, rewardReserve } = accrueUnion(stored, timestamp, {
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
