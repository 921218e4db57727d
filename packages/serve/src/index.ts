export { bodyOf } from './body.ts'
export { type ClientOf, createClientOf } from './clientOf.ts'
export {
  EnvError,
  type Environment,
  httpUrl,
  integer,
  parseEnv,
  postgresUrl,
  readConfig,
  rpcUrls,
} from './config.ts'
export { awayError, HttpError } from './errors.ts'
export { explainPreparing } from './explainPreparing.ts'
export type { Facts } from './facts.ts'
export { createGate, type Fetch, type Gate, type GateOptions } from './gate.ts'
export { type Listening, type ListenOptions, listen } from './listen.ts'
export { createLog, type Log, levels } from './log.ts'
export {
  address,
  codeOf,
  cursorOf,
  givenMarket,
  limit,
  listQuery,
  market,
  minBlock,
  type Parsed,
  parse,
  type Schema,
  type Shape,
  taskIdOf,
  txHash,
} from './params.ts'
export { queryOf } from './query.ts'
export { type QuickAnswer, type Reply, replyOf } from './quick.ts'
export { createRateLimit, type RateLimit } from './rateLimit.ts'
export { headersOf, open, respond, respondError, respondOnce, respondPreflight } from './respond.ts'
export { stopWith } from './stopWith.ts'
