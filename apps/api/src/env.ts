import { limits } from '@svc/protocol'
import { type Environment, httpUrl, integer, levels, parseEnv, postgresUrl, rpcUrls } from '@svc/serve'
import { z } from 'zod'

const schema = z.object({
  /** The chain's RPC; several are separated by commas. It may carry a key and is never shown. */
  CHAIN_RPC_URL: rpcUrls,
  /** The RPC that clients are told to use. It must not carry a key. */
  SVC_PUBLIC_RPC_URL: httpUrl.refine(
    (text) => !looksKeyed(text),
    'looks as if it carried a key: everybody will read it',
  ),
  /** Where the index and the posting tables are. */
  SVC_DATABASE_URL: postgresUrl,
  /** The file with the contracts' addresses. */
  SVC_DEPLOYMENTS: z.string().min(1),
  SVC_SITE_PORT: integer(0, 65_535).default(limits.ports.site),
  /** The address to listen on. */
  SVC_SITE_HOST: z.string().min(1).default('127.0.0.1'),
  /** The folder of the built web site; without it only the API is served. */
  SVC_SITE_DIR: z.string().min(1).optional(),
  /** Lines that matter less are not written. */
  SVC_LOG_LEVEL: z.enum(levels).default('info'),
  /** Addresses and networks of our own proxies, separated by commas: only they are believed about whom they ask for. */
  SVC_TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((list) => list.split(',').filter((each) => each !== ''))
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'not an address or network')).max(100)),
  /** Requests a minute that one client may make. */
  SVC_RATE_READS: integer(1, 100_000_000).default(6_000),
  SVC_RATE_CALLS: integer(1, 100_000_000).default(300),
  SVC_RATE_CHATS: integer(1, 100_000_000).default(20),
  /** Requests that are worked on at once, and connections. */
  SVC_MAX_IN_FLIGHT: integer(1, 100_000).default(1_000),
  SVC_MAX_CONNECTIONS: integer(1, 100_000).default(10_000),
  /** How long a replica that was told to stop goes on while proxies find out. */
  SVC_DRAIN_MS: integer(0, 60_000).default(2_000),
  /** The key of the chat gateway; without it there is no chat. */
  LLM_GATEWAY_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{8,500}$/, 'not a bearer token')
    .optional(),
  /** Any gateway that speaks the OpenAI chat API, up to and without `/chat/completions`. */
  LLM_BASE_URL: httpUrl.optional(),
  SVC_LLM_MODEL: z.string().min(1).max(200).optional(),
  SVC_CHAT_TIMEOUT_MS: integer(100, 300_000).default(30_000),
  /** Questions a day, over all replicas. */
  SVC_CHAT_DAILY: integer(0, 1_000_000_000).default(1_000),
})

export type Env = z.infer<typeof schema>

/** The variables that this app reads. */
export const variables = Object.keys(schema.shape)

/** The environment, with every fault in it at the same time. */
export const readEnv = (environment: Environment): Env =>
  parseEnv(schema, environment, (set) =>
    ['LLM_BASE_URL', 'SVC_LLM_MODEL']
      .filter((name) => set.LLM_GATEWAY_API_KEY && !set[name])
      .map((name) => `${name}: needed with LLM_GATEWAY_API_KEY`),
  )

/** What must not be seen in any log: keys, and URLs that may carry one. */
export function secretsOf({ CHAIN_RPC_URL, SVC_PUBLIC_RPC_URL, SVC_DATABASE_URL, LLM_GATEWAY_API_KEY }: Env): string[] {
  const { password } = new URL(SVC_DATABASE_URL)
  return [
    ...CHAIN_RPC_URL.filter((url) => url !== SVC_PUBLIC_RPC_URL),
    SVC_DATABASE_URL,
    decodeURIComponent(password),
    LLM_GATEWAY_API_KEY ?? '',
  ]
}

/** Credentials, a query, or a long random part in the path: how providers put keys in URLs. */
function looksKeyed(text: string): boolean {
  const { username, password, search, pathname } = new URL(text)
  return Boolean(username || password || search) || pathname.split('/').some((part) => /^[\w-]{20,}$/.test(part))
}
