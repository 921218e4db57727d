import { homedir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@svc/protocol'
import { type Environment, httpUrl, integer, levels, parseEnv, rpcUrls } from '@svc/serve'
import { type Hex, isAddress } from 'viem'
import { z } from 'zod'

const key = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'not a private key: 0x and 64 hex digits')
  .transform((text) => text as Hex)
  .optional()

const schema = z.object({
  /** The chain's RPC; several are separated by commas. It may carry a key and is never shown. */
  CHAIN_RPC_URL: rpcUrls,
  /** The file with the contracts' addresses. */
  SVC_DEPLOYMENTS: z.string().min(1),
  SVC_GATEWAY_PORT: integer(1, 65_535).default(limits.ports.gateway),
  /** The address to listen on. */
  SVC_GATEWAY_HOST: z.string().min(1).default('127.0.0.1'),
  /** What the gateway is called from outside: receipts and links carry it, and requests for another host are refused. */
  SVC_GATEWAY_URL: httpUrl
    .refine((text) => URL.canParse(text) && /^\/?$/.test(new URL(text).pathname), 'must have no path')
    .transform((text) => new URL(text).origin)
    .optional(),
  /** Where prepared requests are kept. */
  SVC_GATEWAY_STATE: z.string().min(1).optional(),
  SVC_LOG_LEVEL: z.enum(levels).default('info'),
  /** Requests a minute that one client may make. */
  SVC_RATE_READS: integer(1, 100_000_000).default(6_000),
  SVC_RATE_CALLS: integer(1, 100_000_000).default(300),
  /** Signs readiness receipts; without it every start makes a new one, and receipts of before are not good any more. */
  SVC_RECEIPT_KEY: key,
  /** What one page of discovery costs; without it there is no paid route. */
  SVC_DISCOVERY_PRICE: z
    .string()
    .regex(/^\$\d{1,4}(?:\.\d{1,6})?$/, 'not a price like $0.01')
    .optional(),
  /** Who is paid. */
  SVC_PAY_TO: z
    .string()
    .refine((text): text is `0x${string}` => isAddress(text), 'not an address')
    .optional(),
  /** Carries payments to the chain here; or a facilitator somewhere else does. */
  SVC_FACILITATOR_KEY: key,
  SVC_FACILITATOR_URL: httpUrl.optional(),
})

/** The environment of the gateway, with what the rest of it decides. */
export type Env = z.infer<typeof schema> & { baseUrl: string; stateFile: string }

/** The variables that this app reads. */
export const variables = Object.keys(schema.shape)

/** The environment, with every fault in it at the same time. */
export function readEnv(environment: Environment): Env {
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
    // One file for each port: two gateways must not write the same.
    stateFile: SVC_GATEWAY_STATE ?? join(homedir(), '.local/state/svc-gateway', `requests-${port}.jsonl`),
  }
}

/** What must not be seen in any log: keys, and URLs that may carry one. */
export const secretsOf = (env: Env): string[] =>
  [...env.CHAIN_RPC_URL, env.SVC_RECEIPT_KEY, env.SVC_FACILITATOR_KEY, env.SVC_FACILITATOR_URL].filter(
    (secret) => secret !== undefined,
  )
