export { describeActionInput } from './actionInputs.ts'
export {
  apiEndpoints,
  type Endpoint,
  gatewayEndpoints,
  notifyEndpoints,
  notifyTokenRoutes,
  paidEndpoints,
  storeByteRoutes,
  storeEndpoints,
} from './endpoints.ts'
export {
  type ApiErrorCode,
  type ErrorCode,
  errorCodes,
  gatewayErrorCodes,
  notifyErrorCodes,
  sessionErrorCodes,
  statusOf,
  storeErrorCodes,
} from './errorCodes.ts'
export { createQuotaError, ServiceError, type ServiceErrorOptions, unavailable } from './errors.ts'
export { blockMark, formatEventCursor, formatStreamId, parseStreamId, type StreamPosition } from './eventCursor.ts'
export { type EventFilter, listEventAddresses, matchesFilter, maxFilteredEvents } from './eventFilter.ts'
export { type DifferentialJson, differentialJson, type MarketComparisonJson } from './json/comparison.ts'
export { type DisputeJson, formatDispute } from './json/dispute.ts'
export { errorJson, gatewayErrorJson, notifyErrorJson, storeErrorJson } from './json/error.ts'
export { type EventJson, eventJson, formatEvent } from './json/event.ts'
export { type FeesJson, feesJson, formatFees, formatPrice, type PriceJson, priceJson } from './json/fees.ts'
export { type GatewayStatusJson, gatewayStatusJson } from './json/gatewayStatus.ts'
export { formatLedger, type LedgerJson, ledgerJson } from './json/ledger.ts'
export { buildResponseMeta, listMetaJson, type MetaJson, metaJson, type ReadPath, readPaths } from './json/meta.ts'
export { quoteJson, recordJson, tokPreviewJson, upgradeJson, walletQuotaJson } from './json/posting.ts'
export {
  formatHolderLabel,
  type PreparedJson,
  preparedJson,
  type RequestJson,
  type RequestStatus,
  requestJson,
  requestStatuses,
} from './json/prepared.ts'
export { formatSelfDeclared, profileStatuses, type SelfDeclaredJson } from './json/profile.ts'
export { type QuotaJson, quotaJson } from './json/quota.ts'
export { type CheckJson, type ErrorJson, paymentRequiredJson, receiptAnswerJson } from './json/receiptAnswer.ts'
export { type AgentJson, formatAgent, reputationJson } from './json/reputation.ts'
export {
  addressText,
  amountText,
  blockJson,
  count,
  hashText,
  moment,
  momentOrNull,
  taskIdText,
} from './json/scalars.ts'
export { type SolvencyJson, treasuryJson } from './json/solvency.ts'
export { type BlockedJson, blockedJson, formatBlocked, formatSteps, type StepJson, stepJson } from './json/steps.ts'
export { type StreamData, streamData, streamId } from './json/stream.ts'
export { formatTask, type TaskJson, taskJson } from './json/task.ts'
export { formatTaskDetail, type TaskDetailJson, taskDetailJson } from './json/taskDetail.ts'
export { formatTaskRow, type TaskRowJson, taskRowJson } from './json/taskRow.ts'
export { formatUsdPerTok } from './json/tokPrice.ts'
export { formatTrackRecord, type RecordSource, type TrackRecordJson, trackRecordJson } from './json/trackRecord.ts'
export { formatVerifier, type VerifierJson, verifiersJson } from './json/verifiers.ts'
export { depositLines, findDepositLine, type WalletJson, walletJson } from './json/wallet.ts'
export { type CourtJson, courtJson } from './market/getCourt.ts'
export { formatSearchCursor, searchCursor, searchFilters } from './market/searchTasks.ts'
export { namedSchemas } from './namedSchemas.ts'
export { channelNames, notificationJson, urgencies } from './notify/inbox.ts'
export { maxSearches } from './notify/searches.ts'
export { maxSubscriptions } from './notify/subscriptions.ts'
export {
  defineCall,
  defineRead,
  type Operation,
  type OperationKind,
  type Schema,
  type Surplus,
} from './operation.ts'
export { type InputJson, type OperationName, type OutputJson, operations } from './operations.ts'
export * as params from './params.ts'
export { formatCursor, maxListedTexts, readOptions } from './params.ts'
export {
  getParameterErrorCode,
  parseInput,
  parseReadOptions,
  parseTaskIdField,
  type ReadOptions,
} from './parseInput.ts'
export { createQueryParser, createUnknownParameterError, describeInputFields, type QueryParser } from './query.ts'
export {
  apiRoutes,
  gatewayRoutes,
  notifyRoutes,
  paidRoutes,
  type Route,
  splitEndpoint,
  storeRoutes,
} from './routes.ts'
export { matchSitePath, type SiteMatch, type SitePath, sitePaths } from './sitePaths.ts'
export { streamLimits } from './streamLimits.ts'
export { formatDisputeStatus, formatTaskStatus, phaseLabels } from './taskStatus.ts'
export { type AgentCursor, formatAgentCursor, maxRankedProfiles } from './wallet/searchAgents.ts'
