export { createServiceVerifier, rethrowPrepareError } from './chainErrors.ts'
export { type ChainQueueOptions, createChainQueue } from './chainQueue.ts'
export {
  type Client,
  findWidestNetwork,
  listNetworks,
  parseClientAddress,
  toRepresentativeAddress,
} from './clientNetworks.ts'
export { createClientResolver, type ResolveClient } from './clientResolver.ts'
export {
  type ClientSlots,
  type ClientSlotsOptions,
  createClientSlots,
  createSemaphore,
  type Semaphore,
} from './clientSlots.ts'
export {
  chainVariables,
  checkKeyChoice,
  clientVariables,
  describeDefaultRpc,
  domainName,
  domainNames,
  EnvError,
  type Environment,
  filePath,
  httpUrl,
  integer,
  isPublicRpcUrl,
  listUrlSecrets,
  parseEnv,
  port,
  postgresUrl,
  privateKey,
  readConfig,
  readPrivateKey,
  replicaVariables,
  requestRate,
  walletAddress,
} from './config.ts'
export {
  checkConfig,
  configChecks,
  createMachineContext,
  isProduction,
  keyFiles,
  listRpcUrls,
  type MachineContext,
  reportConfig,
  reportIf,
} from './configChecks.ts'
export { connectPool, createDatabase, type Database, type DatabaseOptions, migrateSchema } from './database.ts'
export {
  answersWithin,
  classifyFault,
  createDependencies,
  type Dependencies,
  type FaultReason,
} from './dependencies.ts'
export { createFairQueue, type FairQueue, type FairQueueOptions } from './fairQueue.ts'
export { createGate, type Fetch, type GateOptions } from './gate.ts'
export { type HealthServerOptions, probes, startHealthServer } from './healthServer.ts'
export { type Caller, type CallHandler, implementCalls } from './implementCalls.ts'
export { type Listening, type ListenOptions, listen } from './listen.ts'
export { createLog, type Log, levels } from './log.ts'
export { type HttpContext, identifyCaller, mountHttp, type ReadInput } from './mountHttp.ts'
export { createContractAnswer } from './openapi/answerContract.ts'
export { buildOpenapi, formatOpenapi } from './openapi/buildOpenapi.ts'
export { buildExampleRequest } from './openapi/examples.ts'
export type { Example, JsonSchema, OpenapiDocument, OpenapiOperation } from './openapi/types.ts'
export { openSession } from './openSession.ts'
export { endsSoon, type Part, type PartContext, type ServingPart } from './part.ts'
export { createPersonalData, type PersonalData, type PersonalDataRules } from './personalData.ts'
export {
  fetchSiteConfig,
  getPinFile,
  getStateFolder,
  listPublicRpcUrls,
  loadApiDeployments,
  PinError,
  readConfigOrApi,
  SiteConfigError,
} from './pinnedDeployments.ts'
export { createPollHealth, createPollLoop, type PollFault, toError } from './pollLoop.ts'
export { createProcessBase } from './processBase.ts'
export { createRateLimit, type RateLimit } from './rateLimit.ts'
export type { RequestContext } from './requestContext.ts'
export { buildCommonHeaders, open, respond, respondError, respondOnce, respondPreflight } from './respond.ts'
export { type FollowerContext, runFollower } from './runFollower.ts'
export { createServiceBase, repeat, runService } from './runService.ts'
export { keepOf, listKeptSchemas, type SchemaName, schemas } from './schemas.ts'
export { createCallAnswer, createServiceApp, type ServiceAppDeps } from './serviceApp.ts'
export { type SessionCallDeps, sessionCalls } from './sessionCalls.ts'
export { createSessions, type SessionOptions, type Sessions } from './sessions.ts'
export { createSharedCounts, createSharedLimits, limitsSchema, type SharedCounts } from './sharedCounts.ts'
export { createStatements, type Statements } from './statements.ts'
export { exitWithError, stopWith } from './stopWith.ts'
export { createLogThrottle, createThrottledWarning, getErrorMessage, type LogThrottle } from './throttleLog.ts'
export { version } from './version.ts'
export { createWalletRoom, type RoomLimits, roomLimits, type WalletRoom } from './walletRoom.ts'
