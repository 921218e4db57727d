export {
  actionCredit,
  appealFee,
  bps,
  computeJudgeLock,
  computeLostStake,
  computeOpenerStake,
  courtShareBps,
  judgeLockBps,
  lapsePenalty,
  lockedDeposit,
  maxCourtShare,
  maxMilestones,
  maxRevisions,
  minBond,
  minJudgeLock,
  minLostStakeBps,
  openerStakeBps,
  rulingFee,
  settlementBps,
  unbondCooldown,
  unionFeeBps,
} from '../../money/amounts.ts'
export {
  addLedgerShare,
  computeBuyerShare,
  computeLedger,
  computeWorkerShare,
  createLedger,
  type Ledger,
} from '../../money/ledger.ts'
export { computeDelayCost, defaultReviewWindow, realityCourtTimes } from '../../money/params.ts'
export { decodePlanId, encodePlanId, type PaidPlan, type PostingTier, paidPlans } from '../../money/plans.ts'
export {
  describeQuotaRefusal,
  describeUncheckedQuota,
  formatQuotaUse,
  isCountedPost,
  type PostingQuota,
} from '../../money/postingQuota.ts'
export { formatClaimResource, receipt, receiptLifetime } from '../../money/receipt.ts'
export {
  computeGap,
  computeJudgeRisk,
  computeRulingPay,
} from '../../money/rulingPay.ts'
export {
  creditCap,
  creditRate,
  oracleMaxAge,
  planPrices,
  sequencerGrace,
  sunsetNotice,
  timelockDelay,
} from '../../money/suite.ts'
export { formatShortAmount, shortenAmount } from '../../money/units.ts'
