import { accessFee, exitDeposit } from '@svc/protocol'
import { actionCredit, bps, decodePlanId, planPrices, unionFeeBps } from '@svc/protocol/internal/money'
import type { Address, Hex } from 'viem'
import { type Frame, readAgent, readMarketEntry, refuseUnless } from './frame.ts'
import { accruedAt, addReward, creditsAt, spendCredit } from './staking.ts'

const planPeriod = 30 * 24 * 60 * 60

/** What is charged for, in the order of the contract's enum. */
const accessActions = ['POST', 'CLAIM', 'DISMISS', 'LEAVE', 'FORFEIT'] as const
export type AccessAction = (typeof accessActions)[number]

/** PaymentGateway.chargeAccessFee: spends a credit if there is one, otherwise TOK. */
export function chargeAccessFee(frame: Frame, taskId: bigint, payer: Address, action: AccessAction): void {
  const index = accessActions.indexOf(action)
  if (creditsAt(readAgent(frame, payer), accruedAt(readMarketEntry(frame), frame.now)) >= actionCredit) {
    frame.emit('paymentGateway', 'AccessFeePaid', taskId, payer, index, 0n, actionCredit)
    spendCredit(frame, payer)
  } else {
    frame.emit('paymentGateway', 'AccessFeePaid', taskId, payer, index, accessFee, 0n)
    shareFee(frame, accessFee)
  }
}

/** PaymentGateway.shareExitDeposit: what is forfeited is the Union's. */
export function shareExitDeposit(frame: Frame, taskId: bigint, payer: Address, action: AccessAction): void {
  frame.emit('paymentGateway', 'AccessFeePaid', taskId, payer, accessActions.indexOf(action), exitDeposit, 0n)
  shareFee(frame, exitDeposit, action === 'FORFEIT' ? exitDeposit : undefined)
}

/** One part goes to the Union, the rest to the treasury. */
function shareFee(frame: Frame, amount: bigint, toUnion = (amount * unionFeeBps) / bps): void {
  frame.tokenLog()
  addReward(frame, toUnion)
  if (toUnion !== amount) frame.tokenLog()
}

/** PaymentGateway.buyPlan. Without a price oracle, the price in TOK is the caller's maximum. */
export function buyPlan(frame: Frame, planId: Hex, beneficiary: Address, asset: Address, maxAmount: bigint): void {
  const name = decodePlanId(planId)
  refuseUnless(name !== null, 'PlanNotForSale')
  const { listPriceUsd, tokDiscountBps } = planPrices[name ?? 'basic']
  const inTok = asset === frame.tok
  const usd = inTok ? (listPriceUsd * (bps - BigInt(tokDiscountBps)) + bps - 1n) / bps : listPriceUsd
  refuseUnless(inTok || usd <= maxAmount, 'PriceAboveMaximum')
  const plan = frame.state.plans.edit(`${beneficiary} ${planId}`)
  plan.until = Math.max(frame.now, plan.until) + planPeriod
  const { market, from } = frame
  const amount = inTok ? maxAmount : usd
  frame.emit('paymentGateway', 'PlanPurchased', market, planId, beneficiary, from, asset, amount, usd, plan.until)
  frame.tokenLog()
}
