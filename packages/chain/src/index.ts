export { type ChainReaderOptions, createChainReader } from './chainReader.ts'
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
  saveDeployments,
  sharedNames,
} from './deployments.ts'
export { ChainReadError } from './errors.ts'
export { listPosts, type PostedTask } from './listPosts.ts'
export { getBlockLogs, getLogs, type LogFilter, type RawLog, toViemLog } from './logs.ts'
export { getMarketDeployment, type MarketAddresses, type MarketDeployment } from './market.ts'
export { type PrepareQuery, prepareAction, prepareActionJson, UnknownTaskError } from './prepare/prepareAction.ts'
export { readWalletBalances } from './prepare/readWalletBalances.ts'
export { type MarketBalances, type Simulation, simulateCalls } from './prepare/simulate.ts'
export { ProofError } from './proof/merkle.ts'
export { createProvingReader, unprovenParts } from './proof/provingReader.ts'
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
  InboxFacts,
  MarketReader,
  PageQuery,
  PlanQuote,
  TaskDetail,
  TaskList,
  TaskPage,
  TaskPageText,
  TimelineEntry,
  TokPrice,
  UnionOverview,
} from './reader.ts'
export { maxInboxTasks } from './reader.ts'
export { readAgents, readArbitrators } from './reads/agents.ts'
export { readPosterReserves } from './reads/claimability.ts'
export { getTaskContext } from './reads/getTaskContext.ts'
export { getUnion } from './reads/getUnion.ts'
export { getWallet, type WalletRecord } from './reads/getWallet.ts'
export { endOfBlock, eventWindow } from './reads/listEvents.ts'
export { readTasks } from './reads/listTasks.ts'
export { readDisputes } from './reads/readDisputes.ts'
export { readTexts } from './reads/readTexts.ts'
export { createRpc, type Rpc, type RpcOptions, RpcResponseError } from './rpc.ts'
export { serializeTask, serializeTaskPage, type TaskText, textMarks } from './serializeTask.ts'
export { findDeploymentDifference, UntrustedDeploymentError, verifyDeployments } from './verifyDeployments.ts'
