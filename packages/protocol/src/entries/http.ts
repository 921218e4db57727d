export { type DisputeJson, disputeJson, disputeJsonOf } from '../http/dispute.ts'
export {
  type ApiErrorCode,
  type ErrorCode,
  type ErrorJson,
  errorCodes,
  errorJson,
  gatewayErrorCodes,
  gatewayErrorJson,
} from '../http/error.ts'
export { type EventJson, eventJson, eventJsonOf } from '../http/event.ts'
export { type FeesJson, feesJson, feesJsonOf } from '../http/fees.ts'
export { type GatewayStatusJson, gatewayStatusJson } from '../http/gatewayStatus.ts'
export { type LedgerJson, ledgerJson, ledgerJsonOf } from '../http/ledger.ts'
export { listMetaJson, type MetaJson, metaJson, metaJsonOf } from '../http/meta.ts'
export { quoteJson, recordJson, tokPreviewJson, upgradeJson, walletQuotaJson } from '../http/posting.ts'
export {
  type PreparedJson,
  preparedJson,
  type RequestJson,
  type RequestStatus,
  requestJson,
  requestStatuses,
} from '../http/prepared.ts'
export { type QuotaJson, quotaJson } from '../http/quota.ts'
export { type CheckJson, paymentRequiredJson, receiptAnswerJson } from '../http/receiptAnswer.ts'
export { type AgentJson, agentJsonOf, reputationJson } from '../http/reputation.ts'
export { addressText, amountText, count, hashText, moment, momentOrNull, taskIdText } from '../http/scalars.ts'
export { type SolvencyJson, treasuryJson } from '../http/solvency.ts'
export { type StepJson, stepJson, stepsJsonOf } from '../http/steps.ts'
export { type TaskJson, taskJson, taskJsonOf } from '../http/task.ts'
export { type TaskDetailJson, taskDetailJson, taskDetailJsonOf } from '../http/taskDetail.ts'
export { type VerifierJson, verifierJsonOf, verifiersJson } from '../http/verifiers.ts'
export { depositLineOf, depositLines, type WalletJson, walletJson } from '../http/wallet.ts'
export { type CostLine, clockWords, costLines, type DescribedCall, describeCalls, summaryOf } from '../preview.ts'
