export { canonicalizeJson } from './base/canonicalJson.ts'
export { base, baseSepolia, type ChainProfile, chainProfiles, getChainProfile } from './base/chains.ts'
export { fees, limits } from './base/limits.ts'
export { isMarket, type Market, markets } from './base/market.ts'
export { sanitizeText } from './base/plainText.ts'
export { SvcError } from './base/svcError.ts'
export {
  accessFee,
  entryDeposit,
  exitDeposit,
  pauseThreshold,
  recommendedDeposit,
  taskReserve,
} from './money/amounts.ts'
export { type MarketParams, marketParams } from './money/params.ts'
export { postingPlans } from './money/plans.ts'
export {
  buildReceiptTypedData,
  findReceiptProblem,
  formatReceiptHeader,
  parseReceiptHeader,
  type Receipt,
  receiptHeaders,
} from './money/receipt.ts'
export {
  formatAmount,
  formatDuration,
  formatTime,
  InvalidAmountError,
  parseAmount,
  parseDuration,
  type Token,
  tokens,
} from './money/units.ts'
export { deriveTaskPhase, type TaskPhase, taskPhases } from './tasks/phase.ts'
export {
  type ClaimPolicy,
  claimPolicies,
  type DisputeEnding,
  type DisputePhase,
  disputeEndings,
  disputePhases,
  type MilestoneState,
  milestoneStates,
  type TaskState,
  taskScopes,
  taskStates,
  terminalStates,
} from './tasks/states.ts'
export { formatTaskId, InvalidTaskIdError, parseTaskId, type TaskId } from './tasks/taskId.ts'
export { decodeTaskText, encodeTaskText, hashTaskText, TextTooLongError } from './tasks/taskText.ts'
export { buildTermsFromDraft, InvalidDraftError, parseTermsDraft } from './terms/draft.ts'
export {
  buildTerms,
  findTermsProblems,
  formatTermsText,
  InvalidTermsError,
  parseTaskTerms,
  sealTerms,
  type TermsDocument,
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
  computeSettlementDigest,
  type SigningContext,
  type TaskTerms,
} from './terms/typedData.ts'
