import type { UnionRecord } from '../records/agent.ts'
import { applyCases, type Cases } from './cases.ts'
import type { MarketEvent } from './event.ts'

/** The Union of a market on the day of its deployment. */
export function newUnion(): UnionRecord {
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

/** The Union after an event. */
export function applyUnion(union: UnionRecord, event: MarketEvent): UnionRecord {
  return applyCases(unionCases, union, event)
}

/** Every event of the Union. */
export const unionCases: Cases<UnionRecord> = {
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
 * The Union at a moment after its last accrual, as the contract's views show it: credits and rewards grow by time alone.
 * Refuses a moment before the last accrual.
 */
export function unionAt(
  union: UnionRecord,
  timestamp: number,
  { creditCap, creditRate }: { creditCap: bigint; creditRate: bigint },
): UnionRecord {
  if (timestamp < union.accruedAt) throw new MomentTooEarlyError(timestamp, union.accruedAt)
  const { totalStaked } = union
  // Time in which nothing is staked earns nothing and drips nothing.
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

/** A moment at which the Union stood as only older events can tell. */
export class MomentTooEarlyError extends Error {
  override name = 'MomentTooEarlyError'

  constructor(timestamp: number, accruedAt: number) {
    super(`The Union last accrued at ${accruedAt} (unix seconds), after ${timestamp}: ask for a later moment.`)
  }
}
