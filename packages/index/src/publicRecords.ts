import type { UnionOverview } from '@svc/chain'
import { accrueUnion, type FoldedTask } from '@svc/protocol/internal/fold'
import { creditCap, creditRate } from '@svc/protocol/internal/money'
import type { TaskSnapshot, UnionRecord } from '@svc/protocol/internal/records'
import type { TaskRecord } from '@svc/protocol/records'

/** Removes the fields that only the fold needs and that the contracts do not return. */
export function toPublicTask(task: FoldedTask): TaskRecord {
  const {
    criteriaHash: _,
    nonce: __,
    openDigest: ___,
    posterReserve: ____,
    allowedWorker: _____,
    proofHash: ______,
    ...record
  } = task
  return record
}

/** A task as readers return it. `until` is the last second at which it can be claimed; null if it cannot be claimed now. */
export function toTaskSnapshot(task: FoldedTask, until: string | null | undefined): TaskSnapshot {
  return { ...toPublicTask(task), claimableUntil: Number(until ?? 0), allowedWorker: task.allowedWorker }
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
