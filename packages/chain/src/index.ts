export { atBlock, BlockGoneError, StateGoneError, standingAt } from './atBlock.ts'
export { atHead } from './atHead.ts'
export { type ChainReaderOptions, createChainReader } from './chainReader.ts'
export {
  type Deployments,
  DeploymentsError,
  type LocalDeployments,
  loadDeployments,
  loadLocalDeployments,
  localDeploymentsFile,
  type MarketContracts,
  marketNames,
  type SharedContracts,
  saveDeployments,
  signingContext,
} from './deployments.ts'
export { ChainReadError } from './errors.ts'
export { getLogs, getLogsOf, type LogFilter, type RawLog } from './logs.ts'
export { type MarketAddresses, type MarketPlaces, marketPlaces } from './market.ts'
export { type PrepareQuery, prepareAction, UnknownTaskError } from './prepare/prepareAction.ts'
export { readPurse } from './prepare/readPurse.ts'
export { type Simulation, simulateCalls, type Wealth } from './prepare/simulate.ts'
export { ProofError } from './proof/merkle.ts'
export { createProvingReader, unprovenParts } from './proof/provingReader.ts'
export {
  type ChainClient,
  chainOf,
  createProviders,
  type Provider,
  type Providers,
  type ProvidersOptions,
  providerOf,
} from './providers.ts'
export type {
  At,
  BlockRef,
  EventEntry,
  EventPage,
  EventPosition,
  EventQuery,
  MarketReader,
  PageQuery,
  PlanQuote,
  TaskDetail,
  TaskList,
  TaskPage,
  TaskPageText,
  TimelineEntry,
  UnionOverview,
} from './reader.ts'
export { readAgents, readArbitrators } from './reads/agents.ts'
export { getStanding } from './reads/getStanding.ts'
export { getUnion } from './reads/getUnion.ts'
export { getWallet, type WalletRecord } from './reads/getWallet.ts'
export { endOfBlock, eventWindow } from './reads/listEvents.ts'
export { readTasks } from './reads/listTasks.ts'
export { readDisputes } from './reads/readDisputes.ts'
export { readTexts } from './reads/readTexts.ts'
export { createRpc, type Rpc, type RpcOptions, RpcRefusal } from './rpc.ts'
export { pageTextOf, type TaskText, taskTextOf } from './taskText.ts'
export { blockHashAt, type Mined, minedTransaction } from './verify.ts'
