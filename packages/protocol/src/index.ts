export {
  accessFee,
  actionCredit,
  bps,
  disputeFee,
  entryDeposit,
  exitPenalty,
  maxMilestones,
  maxRevisions,
  minBond,
  panelSizes,
  pauseThreshold,
  recommendedDeposit,
  slashAmount,
  taskReserve,
  unbondCooldown,
  unionFeeBps,
} from './amounts.ts'
export { canonicalJson } from './canonicalJson.ts'
export { fees, limits } from './limits.ts'
export { isMarket, type Market, market, markets } from './market.ts'
export { defaultReviewWindow, type MarketParams, marketParams } from './params.ts'
export { type PhaseFacts, phaseOf, type TaskPhase, taskPhases } from './phase.ts'
export { type PaidPlan, type PostingTier, paidPlans, planIdOf, planOfId, postingPlans } from './plans.ts'
export {
  claimResource,
  type Receipt,
  type ReceiptUse,
  readReceiptHeader,
  receipt,
  receiptHeaders,
  receiptLifetime,
  receiptProblem,
  receiptSkew,
  receiptTypedData,
  writeReceiptHeader,
} from './receipt.ts'
export {
  type ClaimPolicy,
  claimPolicies,
  type DisputePhase,
  disputePhases,
  liveStates,
  type MilestoneState,
  milestoneStates,
  type TaskScope,
  type TaskState,
  taskScopes,
  taskStates,
  terminalStates,
} from './states.ts'
export {
  creditCap,
  creditRate,
  oracleMaxAge,
  type PlanPrice,
  planPrices,
  sequencerGrace,
  timelockDelay,
} from './suite.ts'
export { formatTaskId, InvalidTaskIdError, parseTaskId, type TaskId, taskId } from './taskId.ts'
export {
  cleanWords,
  criteriaHash,
  maxTextBytes,
  maxTitleLength,
  readText,
  showWords,
  type TaskText,
  TextTooLongError,
  taskText,
  writeText,
} from './taskText.ts'
export {
  buildTerms,
  contextOf,
  InvalidTermsError,
  readTerms,
  sealTerms,
  type TermsDocument,
  type TermsDocumentJson,
  type TermsDraft,
  termsDocument,
  termsOf,
  termsProblems,
  termsWire,
  textOf,
  verifyTerms,
} from './terms.ts'
export {
  acceptanceTypedData,
  claimPermitTypedData,
  mutualCancelTypedData,
  type SigningContext,
  settlementDigest,
  settlementTypedData,
  type TaskTerms,
  taskDomain,
} from './typedData.ts'
export {
  formatAmount,
  formatDuration,
  formatTime,
  InvalidAmountError,
  parseAmount,
  type Token,
  tokens,
} from './units.ts'
export {
  address,
  bytes32,
  givenHash,
  milestone,
  nonce,
  payee,
  seconds,
  shareBps,
  signature,
  tokWei,
  usdcUnits,
} from './wire.ts'
