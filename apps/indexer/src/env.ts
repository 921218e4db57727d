import { type Environment, integer, levels, parseEnv, postgresUrl, rpcUrls } from '@svc/serve'
import { z } from 'zod'

const schema = z.object({
  /** RPC URLs of the chain, separated by commas. With several, two must agree. Default: the chain's public endpoint. */
  CHAIN_RPC_URL: rpcUrls
    // The same provider twice would agree with itself.
    .refine((list) => new Set(list).size === list.length, 'a provider is listed twice'),
  /** The database of the index. */
  SVC_DATABASE_URL: postgresUrl,
  /** Path of the file with the contract addresses. */
  SVC_DEPLOYMENTS: z.string().min(1),
  /** The build to write. A new name fills a new index beside the one that serves. */
  SVC_INDEX_BUILD: z
    .string()
    .regex(/^[a-z0-9_]{1,40}$/, 'use 1 to 40 lower-case letters, digits and _')
    .default('a'),
  /** Milliseconds between polls of the chain's head. */
  SVC_INDEX_POLL_MS: integer(10, 60_000).default(200),
  /** The most blocks per step. */
  SVC_INDEX_MAX_BLOCKS: integer(1, 10_000).default(500),
  /** Seconds between comparisons with contract storage. */
  SVC_INDEX_SAMPLE_SECONDS: integer(1, 86_400).default(30),
  /** Minimum log level. */
  SVC_LOG_LEVEL: z.enum(levels).default('info'),
  /** Port for health and metrics; 0 picks a free one. */
  SVC_INDEX_PORT: integer(0, 65_535).default(9_464),
  /** Address to listen on for health and metrics. */
  SVC_INDEX_HOST: z.string().min(1).default('127.0.0.1'),
})

export type Env = z.infer<typeof schema>

/** Names of the variables that this app reads. */
export const variables = Object.keys(schema.shape)

/** Parses the environment. Throws one error that lists all invalid variables. */
export const readIndexerEnv = (environment: Environment): Env => parseEnv(schema, environment)
