export { type ChainReaderOptions, createChainReader } from './chainReader.ts'
export { checkChain, WrongChainError } from './checkChain.ts'
export {
  type CheckedProviders,
  createCheckedProviders,
  createCheckedRpc,
  type ProviderObserver,
} from './checkedProviders.ts'
export {
  createSigningContext,
  type Deployments,
  DeploymentsError,
  type LocalDeployments,
  loadDeployments,
  loadLocalDeployments,
  localDeploymentsFile,
  type MarketContracts,
  marketNames,
  parseDeployments,
  type SharedContracts,
  type SwapPool,
  saveDeployments,
  sharedNames,
} from './deployments.ts'
export { ChainReadError } from './errors.ts'
export { excerptText, summarizeText, type TextSummary } from './excerptText.ts'
export { createChainListing, type TaskListing, taskPageSize } from './follow/taskListing.ts'
export { createTaskWalk, type TaskWalk } from './follow/taskWalk.ts'
export { createTouchedTasks, type TouchedTasks } from './follow/touchedTasks.ts'
export { createHeadSource, type Head } from './headSource.ts'
export { createLearnedLimit } from './learnedLimit.ts'
export { listPosts, type PostedTask, readPosts } from './listPosts.ts'
export {
  countReadableBlocks,
  getBlockLogs,
  getLogs,
  type LogFilter,
  LogRangeError,
  type RawLog,
  toViemLog,
} from './logs.ts'
export { getMarketDeployment, type MarketAddresses, type MarketDeployment } from './market.ts'
export { CourtCallError, type CourtStep, prepareCourtCall } from './prepare/courtCall.ts'
export { type PayFrom, payFroms } from './prepare/planBatch.ts'
export {
  type PreparedAction,
  type PreparedPart,
  type PrepareJsonQuery,
  type PrepareQuery,
  prepareAction,
  prepareActionJson,
  UnknownTaskError,
} from './prepare/prepareAction.ts'
export { type BoundedQuote, quoteSwap, SwapRefusedError } from './prepare/quoteSwap.ts'
export { readWalletBalances } from './prepare/readWalletBalances.ts'
export { type MarketBalances, type Simulation, simulateCalls } from './prepare/simulate.ts'
export { encodeRlpNumber, hashHeader } from './proof/header.ts'
export { ProofError } from './proof/merkle.ts'
export { createProvingReader, unprovenParts } from './proof/provingReader.ts'
export { computeReceiptsRoot, proveBlockLogs } from './proof/receipts.ts'
export {
  type ChainClient,
  createProvider,
  createProviders,
  createViemChain,
  type Provider,
  type Providers,
  type ProvidersOptions,
} from './providers.ts'
export { getAgreedBlockHash, getMinedTransaction, type MinedTransaction } from './quorum.ts'
export { BlockNotFoundError, readAtBlock, StatePrunedError, withCanonicalBlock } from './readAtBlock.ts'
export { readAtHead } from './readAtHead.ts'
export type {
  At,
  BlockRef,
  EventEntry,
  EventPage,
  EventPosition,
  EventQuery,
  FoundTask,
  InboxFacts,
  MarketReader,
  PageQuery,
  PlanQuote,
  SearchPage,
  TaskDetail,
  TaskList,
  TaskPage,
  TaskPageText,
  TaskSummary,
  TextedTaskPage,
  TimelineEntry,
  TokPrice,
  UnionOverview,
  WalletTrackRecord,
} from './reader.ts'
export { listTasks, maxInboxTasks, maxRecordTasks } from './reader.ts'
export { readAgents, readArbitrators } from './reads/agents.ts'
export { readTaskExtras } from './reads/claimability.ts'
export { getEntries } from './reads/getEntries.ts'
export { getTaskContext } from './reads/getTaskContext.ts'
export { recordTopics } from './reads/getTrackRecord.ts'
export { getUnion } from './reads/getUnion.ts'
export { getWallet, type WalletRecord } from './reads/getWallet.ts'
export { endOfBlock, eventWindow } from './reads/listEvents.ts'
export { readTaskSnapshots, readTasks } from './reads/listTasks.ts'
export { type Court, type CourtSeat, readCourt } from './reads/readCourt.ts'
export { type CourtCases, readCourtCases } from './reads/readCourtCases.ts'
export { readDisputes } from './reads/readDisputes.ts'
export { readTexts } from './reads/readTexts.ts'
export type { FindTimeline, TimelineHint } from './reads/timeline.ts'
export {
  createRpc,
  RateLimitedError,
  ResponseTooLargeError,
  type Rpc,
  type RpcCallReport,
  type RpcOptions,
  RpcResponseError,
  RpcTimeoutError,
} from './rpc.ts'
export {
  type DeployedContract,
  describeRealityCourt,
  findDeploymentDifference,
  findWrongCode,
  listContracts,
  UntrustedDeploymentError,
  verifyDeployments,
} from './verifyDeployments.ts'
export { createChainVerifier } from './verifySignature.ts'
