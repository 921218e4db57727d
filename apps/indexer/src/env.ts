import { chainVariables, type Environment, integer, parseEnv, port, postgresUrl } from '@svc/serve'
import { z } from 'zod'

const schema = z
  .object({
    ...chainVariables,
    /** RPC URLs of the chain, separated by commas. With several, two must agree. Default: the chain's public endpoint. */
    CHAIN_RPC_URL: chainVariables.CHAIN_RPC_URL
      // The same provider twice would agree with itself.
      .refine((list) => new Set(list).size === list.length, 'a provider is listed twice'),
    /**
     * WebSocket URLs of the same providers, in the same order, separated by commas; an empty one for a provider without. Providers
     * push new heads there. Default: none, so that heads are polled.
     */
    CHAIN_WS_URL: z
      .string()
      .default('')
      .transform((list) => (list === '' ? [] : list.split(',')))
      .pipe(z.array(z.literal('').or(z.url({ protocol: /^wss?$/, error: 'not a ws or wss URL' })))),
    /** The database of the index. */
    SVC_DATABASE_URL: postgresUrl,
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
    /** Port for health and metrics; 0 picks a free one. */
    SVC_INDEX_PORT: port.default(9_464),
  })
  .refine(
    ({ CHAIN_RPC_URL, CHAIN_WS_URL }) => CHAIN_WS_URL.length === 0 || CHAIN_WS_URL.length === CHAIN_RPC_URL.length,
    {
      path: ['CHAIN_WS_URL'],
      message: 'as many as CHAIN_RPC_URL has, or none',
    },
  )

export type Env = z.infer<typeof schema>

/** Names of the variables that this app reads. */
export const variables = Object.keys(schema.shape)

/** Parses the environment. Throws one error that lists all invalid variables. */
export const readIndexerEnv = (environment: Environment): Env => parseEnv(schema, environment)
