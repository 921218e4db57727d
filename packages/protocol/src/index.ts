export {
  accessFee,
  actionCredit,
  appealFee,
  bondAge,
  bps,
  computeJudgeLock,
  computeOpenerStake,
  courtShareBps,
  entryDeposit,
  exitDeposit,
  exitPenalty,
  judgeLockBps,
  judgeLossBps,
  junkPenalty,
  lockedDeposit,
  maxJudgeShare,
  maxMilestones,
  maxRevisions,
  minBond,
  minJudgeLock,
  openerStakeBps,
  pauseThreshold,
  recommendedDeposit,
  rulingFee,
  settlementBps,
  taskReserve,
  unbondCooldown,
  unionFeeBps,
} from './amounts.ts'
export { canonicalizeJson } from './canonicalJson.ts'
export {
  type AddChainParameter,
  base,
  baseSepolia,
  buildAddChainParameter,
  type ChainProfile,
  chainProfiles,
  create2Deployer,
  formatTransactionUrl,
  getChainProfile,
  localChain,
} from './chains.ts'
export { explainIssue, formatIssue } from './explainIssue.ts'
export { defaultRpcUrl, fees, limits } from './limits.ts'
export { isMarket, type Market, markets } from './market.ts'
export { market } from './marketSchema.ts'
export { defaultReviewWindow, type MarketParams, marketParams } from './params.ts'
export { entriesEndedRule, entriesPausedRule, pauseRule } from './pausing.ts'
export { deriveTaskPhase, findPhaseEnd, type PhaseFacts, type TaskPhase, taskPhases } from './phase.ts'
export { normalizeText, sanitizeText } from './plainText.ts'
export { decodePlanId, encodePlanId, type PaidPlan, type PostingTier, paidPlans, postingPlans } from './plans.ts'
export {
  describeQuotaRefusal,
  describeUncheckedQuota,
  formatQuotaUse,
  isCountedPost,
  type PostingQuota,
  type QuotaRefusal,
} from './postingQuota.ts'
export { listRequirements, type ReadinessFacts, type ReadinessItem, type Requirement } from './readiness.ts'
export {
  buildReceiptTypedData,
  findReceiptProblem,
  formatClaimResource,
  formatReceiptHeader,
  parseReceiptHeader,
  type Receipt,
  type ReceiptUse,
  receipt,
  receiptHeaders,
  receiptLifetime,
  receiptSkew,
} from './receipt.ts'
export {
  type ClaimPolicy,
  claimPolicies,
  claimPolicyLabels,
  type DisputeEnding,
  type DisputePhase,
  disputeEndings,
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
  sunsetNotice,
  timelockDelay,
} from './suite.ts'
export { SvcError, type SvcErrorOptions } from './svcError.ts'
export { formatTaskId, InvalidTaskIdError, parseTaskId, type TaskId, taskId } from './taskId.ts'
export {
  decodeTaskText,
  encodeTaskText,
  hashTaskText,
  maxTextBytes,
  maxTitleLength,
  type TaskText,
  TextTooLongError,
  tags,
  taskText,
} from './taskText.ts'
export {
  buildTermsFromDraft,
  changeTerms,
  type DraftContext,
  describeDraftIssue,
  draftDefaults,
  InvalidDraftError,
  parseDraftMilestones,
  parseTermsDraft,
  type TermsDraft,
  type TermsDraftValues,
  termsDraft,
} from './terms/draft.ts'
export {
  buildTerms,
  findTermsProblems,
  formatTermsText,
  InvalidTermsError,
  parseTaskTerms,
  sealTerms,
  type TermsDocument,
  type TermsDocumentJson,
  type TermsValues,
  termsDocument,
  termsWire,
  toSigningContext,
  toTaskTerms,
  verifyTerms,
} from './terms/terms.ts'
export {
  buildAcceptanceTypedData,
  buildClaimPermitTypedData,
  buildMutualCancelTypedData,
  buildSettlementTypedData,
  buildStorageReceiptTypedData,
  buildTaskDomain,
  computeSettlementDigest,
  type SigningContext,
  type TaskTerms,
} from './typedData.ts'
export {
  formatAmount,
  formatDuration,
  formatTime,
  InvalidAmountError,
  InvalidDurationError,
  parseAmount,
  parseDuration,
  type Token,
  tokens,
} from './units.ts'
export {
  address,
  bytes32,
  milestone,
  nonce,
  nonZeroHash,
  payee,
  seconds,
  shareBps,
  signature,
  storageReceipt,
  tokWei,
  usdcUnits,
} from './wire.ts'
