import { type Environment, integer, levels, parseEnv, rpcUrls, walletAddress } from '@svc/serve'
import { z } from 'zod'

const schema = z.object({
  /** RPC URLs of the chain, separated by commas. Default: the chain's public endpoint. */
  CHAIN_RPC_URL: rpcUrls,
  /** Path of the file with the contract addresses. */
  SVC_DEPLOYMENTS: z.string().min(1),
  /** The guardian of the plan. Any other is an alarm. */
  SVC_WATCH_GUARDIAN: walletAddress,
  /** Seconds between looks at the chain. */
  SVC_WATCH_SECONDS: integer(1, 3_600).default(15),
  /** Fewer free judges than this in a market is an alarm. */
  SVC_WATCH_JUDGES: integer(0, 1_000).default(3),
  /** Minutes after which a call that anyone may make is overdue. */
  SVC_WATCH_OVERDUE_MINUTES: integer(1, 10_080).default(30),
  /** Minimum log level. */
  SVC_LOG_LEVEL: z.enum(levels).default('info'),
  /** Port for health and metrics; 0 picks a free one. */
  SVC_WATCH_PORT: integer(0, 65_535).default(9_467),
  /** Address to listen on for health and metrics. */
  SVC_WATCH_HOST: z.string().min(1).default('127.0.0.1'),
})

/** Names of the variables that the watcher reads. */
export const variables = Object.keys(schema.shape)

/** Parses the environment. Throws one error that lists all invalid variables. */
export const readWatchEnv = (environment: Environment) => parseEnv(schema, environment)
