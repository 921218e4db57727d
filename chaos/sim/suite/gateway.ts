import { accessFee, actionCredit, bps, planOfId, planPrices, unionFeeBps } from '@svc/protocol'
import type { Address, Hex } from 'viem'
import { agentOf, check, type Frame, ownOf } from './frame.ts'
import { accruedAt, addReward, creditsAt, spendCredit } from './staking.ts'

const planPeriod = 30 * 24 * 60 * 60

/** What is charged for, in the order of the contract's enum. */
export const accessActions = ['POST', 'CLAIM', 'DISMISS', 'LEAVE'] as const

/** PaymentGateway.chargeAccessFee: a credit where there is one, else TOK. */
export function chargeAccessFee(
  frame: Frame,
  taskId: bigint,
  payer: Address,
  action: (typeof accessActions)[number],
): void {
  const index = accessActions.indexOf(action)
  if (creditsAt(agentOf(frame, payer), accruedAt(ownOf(frame), frame.now)) >= actionCredit) {
    frame.emit('paymentGateway', 'AccessFeePaid', taskId, payer, index, 0n, actionCredit)
    spendCredit(frame, payer)
  } else {
    frame.emit('paymentGateway', 'AccessFeePaid', taskId, payer, index, accessFee, 0n)
    frame.tokenLog()
    addReward(frame, (accessFee * unionFeeBps) / bps)
    frame.tokenLog()
  }
}

/** PaymentGateway.buyPlan. There is no oracle here: in TOK the price is whatever the caller would pay at most. */
export function buyPlan(frame: Frame, planId: Hex, beneficiary: Address, asset: Address, maxAmount: bigint): void {
  const name = planOfId(planId)
  check(name !== null, 'PlanNotForSale')
  const { listPriceUsd, tokDiscountBps } = planPrices[name ?? 'basic']
  const inTok = asset === frame.tok
  const usd = inTok ? (listPriceUsd * (bps - BigInt(tokDiscountBps)) + bps - 1n) / bps : listPriceUsd
  check(inTok || usd <= maxAmount, 'PriceAboveMaximum')
  const plan = frame.state.plans.edit(`${beneficiary} ${planId}`)
  plan.until = Math.max(frame.now, plan.until) + planPeriod
  const { market, from } = frame
  const amount = inTok ? maxAmount : usd
  frame.emit('paymentGateway', 'PlanPurchased', market, planId, beneficiary, from, asset, amount, usd, plan.until)
  frame.tokenLog()
}
