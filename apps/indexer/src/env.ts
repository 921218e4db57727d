import { type Environment, integer, parseEnv, postgresUrl, rpcUrls } from '@svc/serve'
import { z } from 'zod'

const schema = z.object({
  /** The chain's RPC; several are separated by commas, and two must agree. */
  CHAIN_RPC_URL: rpcUrls
    // The same one twice would agree with itself.
    .refine((list) => new Set(list).size === list.length, 'a provider is listed twice'),
  /** Where the index is kept. */
  SVC_DATABASE_URL: postgresUrl,
  /** The file with the contracts' addresses. */
  SVC_DEPLOYMENTS: z.string().min(1),
  /** The build to fill: a new name fills a new index beside the one that serves. */
  SVC_INDEX_BUILD: z
    .string()
    .regex(/^[a-z0-9_]{1,40}$/, 'small letters, digits and _ only')
    .default('a'),
  /** Milliseconds between looks at the head. */
  SVC_INDEX_POLL_MS: integer(10, 60_000).default(200),
  /** Blocks a step. */
  SVC_INDEX_MAX_BLOCKS: integer(1, 10_000).default(500),
  /** Seconds between comparisons with contract storage. */
  SVC_INDEX_SAMPLE_SECONDS: integer(1, 86_400).default(30),
  /** Where health and metrics are served; zero takes a free port. */
  SVC_INDEX_PORT: integer(0, 65_535).default(9_464),
  /** The address to listen on for them. */
  SVC_INDEX_HOST: z.string().min(1).default('127.0.0.1'),
})

export type Env = z.infer<typeof schema>

/** The variables that this app reads. */
export const variables = Object.keys(schema.shape)

/** The environment, with every fault in it at the same time. */
export const readEnv = (environment: Environment): Env => parseEnv(schema, environment)
