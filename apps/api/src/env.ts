import { limits } from '@svc/protocol'
import {
  chainVariables,
  type Environment,
  filePath,
  httpUrl,
  integer,
  isPublicRpcUrl,
  parseEnv,
  port,
  postgresUrl,
  replicaVariables,
  requestRate,
  walletAddress,
} from '@svc/serve'
import { z } from 'zod'

const schema = z.object({
  ...chainVariables,
  ...replicaVariables,
  /** The RPC URL that clients are told to use. It must not contain a key. */
  SVC_PUBLIC_RPC_URL: httpUrl.refine(
    (text) => !looksKeyed(text),
    'seems to contain a key, but every client can read this URL',
  ),
  /** The database with the index and the posting tables. */
  SVC_DATABASE_URL: postgresUrl,
  SVC_SITE_PORT: port.default(limits.ports.site),
  /** The folder of the built web site. Without it, only the API is served. */
  SVC_SITE_DIR: filePath.optional(),
  /** The public URL of the web site, used in links to its pages, such as the plans when a posting quota is used up. */
  SVC_SITE_URL: httpUrl.optional(),
  /** The URL of the store of delivered work, as this service reaches it: `/store/` is forwarded there. Without it, there is none. */
  SVC_STORE_URL: httpUrl.optional(),
  /** The notifier, as this service reaches it; it is forwarded at /notify. */
  SVC_NOTIFY_URL: httpUrl.optional(),
  /** Where nginx takes messages of streams, as in `deploy/nchan/publish.conf`, separated by commas. Without it, replicas hold all streams. */
  SVC_STREAM_HUBS: z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(httpUrl).max(8))
    .default([]),
  /** The wallet that signs the store's receipts. The store's own word is not enough: terms name this address. */
  SVC_STORE_ADDRESS: walletAddress.optional(),
  /** Requests per minute and client. */
  SVC_RATE_READS: requestRate.default(6_000),
  SVC_RATE_CHATS: requestRate.default(20),
  /** Calls to RPC providers that clients' requests make at once, and requests that wait for the chain. */
  SVC_CHAIN_RUNNING: integer(16, 100_000).default(160),
  SVC_CHAIN_WAITING: integer(5, 1_000_000).default(1_000),
  /** The key of the chat gateway. Without it, chat is disabled. */
  LLM_GATEWAY_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{8,500}$/, 'not a bearer token')
    .optional(),
  /** The base URL of any OpenAI-compatible gateway, without `/chat/completions`. */
  LLM_BASE_URL: httpUrl.optional(),
  SVC_LLM_MODEL: z.string().min(1).max(200).optional(),
  /** The field that asks the model for a reply of at most this many tokens. */
  SVC_CHAT_LIMIT_FIELD: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  /** Tokens per UTC day over all replicas, questions included. */
  SVC_CHAT_DAILY_TOKENS: integer(0, 1_000_000_000_000).default(2_000_000),
})

export type Env = z.infer<typeof schema>

/** The variables that this app reads. */
export const variables = Object.keys(schema.shape)

/** Parses the environment. Reports all errors at once. */
export const readApiEnv = (environment: Environment): Env =>
  parseEnv(schema, environment, (set) => [
    ...['LLM_BASE_URL', 'SVC_LLM_MODEL']
      .filter((name) => set.LLM_GATEWAY_API_KEY && !set[name])
      .map((name) => `${name}: needed with LLM_GATEWAY_API_KEY`),
    ...(set.SVC_STORE_URL && !set.SVC_STORE_ADDRESS ? ['SVC_STORE_ADDRESS: needed with SVC_STORE_URL'] : []),
  ])

/** Secrets that must not appear in any log: keys, and URLs that may contain one. */
export function listApiSecrets({
  CHAIN_RPC_URL,
  SVC_PUBLIC_RPC_URL,
  SVC_DATABASE_URL,
  LLM_GATEWAY_API_KEY,
}: Env): string[] {
  const { password } = new URL(SVC_DATABASE_URL)
  return [
    ...CHAIN_RPC_URL.filter((url) => url !== SVC_PUBLIC_RPC_URL && !isPublicRpcUrl(url)),
    SVC_DATABASE_URL,
    decodeURIComponent(password),
    LLM_GATEWAY_API_KEY ?? '',
  ]
}

/** Credentials, a query, or a long random path segment: the ways in which providers put keys in URLs. */
function looksKeyed(text: string): boolean {
  const { username, password, search, pathname } = new URL(text)
  return Boolean(username || password || search) || pathname.split('/').some((part) => /^[\w-]{20,}$/.test(part))
}
