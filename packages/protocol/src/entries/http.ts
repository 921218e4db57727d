export { type DisputeJson, disputeJson, disputeJsonOf } from '../http/dispute.ts'
export { type ErrorCode, type ErrorJson, errorCodes, errorJson } from '../http/error.ts'
export { type EventJson, eventJson, eventJsonOf } from '../http/event.ts'
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
export { addressText, amountText, count, hashText, moment, momentOrNull, taskIdText } from '../http/scalars.ts'
export { type StepJson, stepJson, stepsJsonOf } from '../http/steps.ts'
export { type TaskJson, taskJson, taskJsonOf } from '../http/task.ts'
export { type TaskDetailJson, taskDetailJson, taskDetailJsonOf } from '../http/taskDetail.ts'
export { depositLineOf, depositLines, type WalletJson, walletJson } from '../http/wallet.ts'
export { type CostLine, clockWords, costLines, type DescribedCall, describeCalls, summaryOf } from '../preview.ts'
