import { homedir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@svc/protocol'
import {
  chainVariables,
  clientVariables,
  type Environment,
  filePath,
  httpUrl,
  integer,
  isPublicRpcUrl,
  parseEnv,
  privateKey,
  requestRate,
  walletAddress,
} from '@svc/serve'
import { z } from 'zod'

const schema = z.object({
  ...chainVariables,
  ...clientVariables,
  SVC_GATEWAY_PORT: integer(1, 65_535).default(limits.ports.gateway),
  /** Public URL of the gateway, used in receipts and links. Requests for another host are rejected. */
  SVC_GATEWAY_URL: httpUrl
    .refine((text) => URL.canParse(text) && /^\/?$/.test(new URL(text).pathname), 'must have no path')
    .transform((text) => new URL(text).origin)
    .optional(),
  /** The file with the contract addresses. Without it, they are those of SVC_API_URL, verified on chain and pinned. */
  SVC_DEPLOYMENTS: filePath.optional(),
  /** The HTTP API, for the posting quota and the contract addresses. Without it, posts are prepared with a warning. */
  SVC_API_URL: httpUrl.optional(),
  /** File that stores prepared requests, a SQLite database. Several gateways can use one. */
  SVC_GATEWAY_STATE: filePath.optional(),
  /** Rate limit per client and minute. */
  SVC_RATE_READS: requestRate.default(6_000),
  /** Signs readiness receipts. Without it every start generates a new key, and older receipts become invalid. */
  SVC_RECEIPT_KEY: privateKey.optional(),
  /** Price of one page of discovery. Without it there is no paid route. */
  SVC_DISCOVERY_PRICE: z
    .string()
    .regex(/^\$\d{1,4}(?:\.\d{1,6})?$/, 'not a price like $0.01')
    .optional(),
  /** Recipient of the payments. */
  SVC_PAY_TO: walletAddress.optional(),
  /** Settles payments in this process, instead of an external facilitator. */
  SVC_FACILITATOR_KEY: privateKey.optional(),
  SVC_FACILITATOR_URL: httpUrl.optional(),
})

/** The environment of the gateway, with derived defaults. */
export type Env = z.infer<typeof schema> & { baseUrl: string; stateFile: string }

/** The variables that this app reads. */
export const variables = Object.keys(schema.shape)

/** Parses the environment and reports all its problems at once. */
export function readGatewayEnv(environment: Environment): Env {
  const env = parseEnv(schema, environment, (set) => [
    ...(set.SVC_DEPLOYMENTS || set.SVC_API_URL
      ? []
      : ['SVC_API_URL: needed for the contract addresses; SVC_DEPLOYMENTS can name a file instead']),
    ...(set.SVC_DISCOVERY_PRICE && !set.SVC_PAY_TO ? ['SVC_PAY_TO: needed with SVC_DISCOVERY_PRICE'] : []),
    ...(set.SVC_DISCOVERY_PRICE && Boolean(set.SVC_FACILITATOR_KEY) === Boolean(set.SVC_FACILITATOR_URL)
      ? ['SVC_FACILITATOR_KEY: either it or SVC_FACILITATOR_URL is needed with SVC_DISCOVERY_PRICE']
      : []),
  ])
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
