import { homedir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@svc/protocol'
import {
  type Environment,
  httpUrl,
  integer,
  isPublicRpcUrl,
  levels,
  parseEnv,
  rpcUrls,
  trustedProxies,
} from '@svc/serve'
import { type Hex, isAddress } from 'viem'
import { z } from 'zod'

const key = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'not a private key: 0x and 64 hex digits')
  .transform((text) => text as Hex)
  .optional()

const schema = z.object({
  /** RPC URLs of the chain, separated by commas. They may contain a key and are never shown. Default: the chain's public endpoint. */
  CHAIN_RPC_URL: rpcUrls,
  /** Path of the file with the contract addresses. */
  SVC_DEPLOYMENTS: z.string().min(1),
  SVC_GATEWAY_PORT: integer(1, 65_535).default(limits.ports.gateway),
  /** The address to listen on. */
  SVC_GATEWAY_HOST: z.string().min(1).default('127.0.0.1'),
  /** Public URL of the gateway, used in receipts and links. Requests for another host are rejected. */
  SVC_GATEWAY_URL: httpUrl
    .refine((text) => URL.canParse(text) && /^\/?$/.test(new URL(text).pathname), 'must have no path')
    .transform((text) => new URL(text).origin)
    .optional(),
  /** The HTTP API, for the posting quota. Without it, posts are prepared with a warning. */
  SVC_API_URL: httpUrl.optional(),
  /** File that stores prepared requests, a SQLite database. Several gateways can use one. */
  SVC_GATEWAY_STATE: z.string().min(1).optional(),
  SVC_LOG_LEVEL: z.enum(levels).default('info'),
  /** Addresses and networks of our own proxies, separated by commas. `X-Forwarded-For` is trusted only from them. */
  SVC_TRUSTED_PROXIES: trustedProxies,
  /** Rate limit per client and minute. */
  SVC_RATE_READS: integer(1, 100_000_000).default(6_000),
  SVC_RATE_CALLS: integer(1, 100_000_000).default(300),
  /** Signs readiness receipts. Without it every start generates a new key, and older receipts become invalid. */
  SVC_RECEIPT_KEY: key,
  /** Price of one page of discovery. Without it there is no paid route. */
  SVC_DISCOVERY_PRICE: z
    .string()
    .regex(/^\$\d{1,4}(?:\.\d{1,6})?$/, 'not a price like $0.01')
    .optional(),
  /** Recipient of the payments. */
  SVC_PAY_TO: z
    .string()
    .refine((text): text is `0x${string}` => isAddress(text), 'not an address')
    .optional(),
  /** Settles payments in this process, instead of an external facilitator. */
  SVC_FACILITATOR_KEY: key,
  SVC_FACILITATOR_URL: httpUrl.optional(),
})

/** The environment of the gateway, with derived defaults. */
export type Env = z.infer<typeof schema> & { baseUrl: string; stateFile: string }

/** The variables that this app reads. */
export const variables = Object.keys(schema.shape)

/** Parses the environment and reports all its problems at once. */
export function readGatewayEnv(environment: Environment): Env {
  const env = parseEnv(schema, environment, (set) =>
    set.SVC_DISCOVERY_PRICE
      ? [
          ...(set.SVC_PAY_TO ? [] : ['SVC_PAY_TO: needed with SVC_DISCOVERY_PRICE']),
          ...(Boolean(set.SVC_FACILITATOR_KEY) === Boolean(set.SVC_FACILITATOR_URL)
            ? ['SVC_FACILITATOR_KEY: either it or SVC_FACILITATOR_URL is needed with SVC_DISCOVERY_PRICE']
            : []),
        ]
      : [],
  )
  const { SVC_GATEWAY_PORT: port, SVC_GATEWAY_URL, SVC_GATEWAY_STATE } = env
  return {
    ...env,
    baseUrl: SVC_GATEWAY_URL ?? `http://127.0.0.1:${port}`,
    // Earlier versions wrote lines to a file with the other ending, which is imported.
    stateFile: (SVC_GATEWAY_STATE ?? join(homedir(), '.local/state/svc-gateway', `requests-${port}.sqlite`)).replace(
      /\.jsonl$/,
      '.sqlite',
    ),
  }
}

/** Values that must not appear in any log: keys, and URLs that may contain one. */
export const listGatewaySecrets = (env: Env): string[] =>
  [...env.CHAIN_RPC_URL, env.SVC_RECEIPT_KEY, env.SVC_FACILITATOR_KEY, env.SVC_FACILITATOR_URL].filter(
    (secret): secret is string => secret !== undefined && !isPublicRpcUrl(secret),
  )
