import { actionCredit, creditCap, creditRate } from '@svc/protocol/internal/money'
import type { Address } from 'viem'
import { least } from '../../model/money.ts'
import { type Frame, readAgent, readMarketEntry, refuseUnless } from './frame.ts'
import type { AgentEntry, MarketEntry } from './state.ts'

const rewardPeriod = 7n * 24n * 60n * 60n
const creditScale = 10n ** 18n * 24n * 60n * 60n
const rewardScale = 10n ** 27n

type Accrual = Pick<
  MarketEntry,
  'creditsPerStake' | 'rewardsPerStake' | 'totalCreditsIssued' | 'rewardReserve' | 'accruedAt'
>

/** StakingVault.activateStaking. */
export function activateStaking(frame: Frame): void {
  refuseUnless(!readMarketEntry(frame).stakingActive, 'StakingAlreadyActive')
  frame.state.own.edit('own').stakingActive = true
  frame.emit('stakingVault', 'StakingActivated')
}

/** StakingVault.stake. */
export function stake(frame: Frame, amount: bigint): void {
  refuseUnless(readMarketEntry(frame).stakingActive, 'StakingNotActive')
  refuseUnless(amount > 0n, 'ZeroAmount')
  settle(frame, frame.from).staked += amount
  frame.state.own.edit('own').totalStaked += amount
  frame.emit('stakingVault', 'Staked', frame.from, amount)
  frame.tokenLog()
}

/** StakingVault.unstake. */
export function unstake(frame: Frame, amount: bigint): void {
  refuseUnless(amount > 0n, 'ZeroAmount')
  refuseUnless(amount <= readAgent(frame, frame.from).staked, 'InsufficientStake')
  settle(frame, frame.from).staked -= amount
  frame.state.own.edit('own').totalStaked -= amount
  frame.emit('stakingVault', 'Unstaked', frame.from, amount)
  frame.tokenLog()
}

/** StakingVault.claimRewards. */
export function claimRewards(frame: Frame): void {
  const account = settle(frame, frame.from)
  const amount = account.rewards
  refuseUnless(amount > 0n, 'ZeroAmount')
  account.rewards = 0n
  frame.emit('stakingVault', 'RewardsClaimed', frame.from, amount)
  frame.tokenLog()
}

/** StakingVault.spendCredit, by the gateway. */
export function spendCredit(frame: Frame, spender: Address): void {
  const account = settle(frame, spender)
  refuseUnless(account.credits >= actionCredit, 'InsufficientCredits')
  account.credits -= actionCredit
  frame.emit('stakingVault', 'CreditSpent', spender, actionCredit)
}

/** StakingVault.addReward, by the gateway. */
export function addReward(frame: Frame, amount: bigint): void {
  accrue(frame)
  frame.state.own.edit('own').rewardReserve += amount
  frame.emit('stakingVault', 'RewardAdded', amount)
}

/** Computes the accumulators at a time. While nothing is staked, nothing accrues. */
export function accruedAt(own: Readonly<MarketEntry>, now: number): Accrual {
  const { creditsPerStake, rewardsPerStake, totalCreditsIssued, rewardReserve, totalStaked } = own
  const then = { creditsPerStake, rewardsPerStake, totalCreditsIssued, rewardReserve, accruedAt: now }
  if (totalStaked === 0n) return then
  const elapsed = BigInt(now - own.accruedAt)
  let growth = elapsed * creditRate
  let issued = (growth * totalStaked + creditScale - 1n) / creditScale
  const remaining = creditCap - totalCreditsIssued
  if (issued > remaining) {
    issued = remaining
    growth = (remaining * creditScale) / totalStaked
  }
  const drip = (rewardReserve * least(elapsed, rewardPeriod)) / rewardPeriod
  return {
    creditsPerStake: creditsPerStake + growth,
    rewardsPerStake: rewardsPerStake + (drip * rewardScale) / totalStaked,
    totalCreditsIssued: totalCreditsIssued + issued,
    rewardReserve: rewardReserve - drip,
    accruedAt: now,
  }
}

/** Computes the credits of a wallet from the accumulators of a time. */
export function creditsAt(account: Readonly<AgentEntry>, { creditsPerStake }: Accrual): bigint {
  return account.credits + (account.staked * (creditsPerStake - account.creditsPerStake)) / creditScale
}

/** Computes the rewards of a wallet from the accumulators of a time. */
export function rewardsAt(account: Readonly<AgentEntry>, { rewardsPerStake }: Accrual): bigint {
  return account.rewards + (account.staked * (rewardsPerStake - account.rewardsPerStake)) / rewardScale
}

function accrue(frame: Frame): Accrual {
  const own = readMarketEntry(frame)
  const now = accruedAt(own, frame.now)
  if (own.accruedAt === frame.now) return now
  const closes = now.totalCreditsIssued === creditCap && own.totalCreditsIssued !== creditCap
  Object.assign(frame.state.own.edit('own'), now)
  const { creditsPerStake, rewardsPerStake, totalCreditsIssued, rewardReserve } = now
  frame.emit('stakingVault', 'Accrued', creditsPerStake, rewardsPerStake, totalCreditsIssued, rewardReserve)
  if (closes) frame.emit('stakingVault', 'CreditIssuanceClosed', totalCreditsIssued)
  return now
}

function settle(frame: Frame, wallet: Address): AgentEntry {
  const now = accrue(frame)
  const account = frame.state.agents.edit(wallet)
  account.credits = creditsAt(account, now)
  account.rewards = rewardsAt(account, now)
  account.creditsPerStake = now.creditsPerStake
  account.rewardsPerStake = now.rewardsPerStake
  return account
}
