import { SvcError } from '../base/svcError.ts'
import type { UnionRecord } from '../records/agent.ts'
import type { MarketEvent } from './event.ts'
import { type EventHandlers, handleEvent } from './eventHandlers.ts'

/**
 * Creates the record of a market's Union at its deployment.
 *
 * @example
 * ```ts
 * createUnionRecord().totalStaked // 0n
 * ```
 */
export function createUnionRecord(): UnionRecord {
  return {
    stakingActive: false,
    totalStaked: 0n,
    creditsPerStake: 0n,
    rewardsPerStake: 0n,
    totalCreditsIssued: 0n,
    rewardReserve: 0n,
    accruedAt: 0,
  }
}

/**
 * Applies an event to the Union.
 *
 * @example
 * ```ts
 * const after = applyUnion(union, staked)
 * ```
 */
export function applyUnion(union: UnionRecord, event: MarketEvent): UnionRecord {
  return handleEvent(unionHandlers, union, event)
}

/** The handlers of the Union's events. */
export const unionHandlers: EventHandlers<UnionRecord> = {
  'stakingVault.StakingActivated': (union) => ({ ...union, stakingActive: true }),
  'stakingVault.Staked': (union, { args }) => ({ ...union, totalStaked: union.totalStaked + args.amount }),
  'stakingVault.Unstaked': (union, { args }) => ({ ...union, totalStaked: union.totalStaked - args.amount }),
  'stakingVault.Accrued': (union, { args, block }) => ({ ...union, ...args, accruedAt: block.timestamp }),
  'stakingVault.RewardAdded': (union, { args }) => ({ ...union, rewardReserve: union.rewardReserve + args.amount }),
}

const day = 24 * 60 * 60
const rewardPeriod = 7 * day
const creditScale = 10n ** 18n * 86_400n
const rewardScale = 10n ** 27n

/**
 * Accrues the Union to a timestamp, like the views of the contract: credits and rewards grow with time. Throws
 * {@link TimestampTooEarlyError} for a timestamp before the last accrual.
 *
 * @example
 * ```ts
 * const now = accrueUnion(union, block.timestamp, { creditCap, creditRate })
 * ```
 */
export function accrueUnion(
  union: UnionRecord,
  timestamp: number,
  { creditCap, creditRate }: { creditCap: bigint; creditRate: bigint },
): UnionRecord {
  if (timestamp < union.accruedAt) throw new TimestampTooEarlyError(timestamp, union.accruedAt)
  const { totalStaked } = union
  // While nothing is staked, no credits are earned and no rewards are paid out.
  if (totalStaked === 0n) return { ...union, accruedAt: timestamp }

  const elapsed = timestamp - union.accruedAt
  const growth = BigInt(elapsed) * creditRate
  const issued = (growth * totalStaked + creditScale - 1n) / creditScale
  const remaining = creditCap - union.totalCreditsIssued
  const capped = issued > remaining
  const drip = (union.rewardReserve * BigInt(Math.min(elapsed, rewardPeriod))) / BigInt(rewardPeriod)
  return {
    ...union,
    creditsPerStake: union.creditsPerStake + (capped ? (remaining * creditScale) / totalStaked : growth),
    totalCreditsIssued: union.totalCreditsIssued + (capped ? remaining : issued),
    rewardsPerStake: union.rewardsPerStake + (drip * rewardScale) / totalStaked,
    rewardReserve: union.rewardReserve - drip,
    accruedAt: timestamp,
  }
}

/** Thrown for a timestamp before the last accrual. */
class TimestampTooEarlyError extends SvcError {
  override name = 'TimestampTooEarlyError'

  constructor(timestamp: number, accruedAt: number) {
    super(
      'TIMESTAMP_TOO_EARLY',
      `The Union last accrued at ${accruedAt} (unix seconds), after ${timestamp}. Use a later timestamp.`,
    )
  }
}
