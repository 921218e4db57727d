import { limits } from '@svc/protocol'
import {
  checkKeyChoice,
  domainName,
  type Environment,
  httpUrl,
  integer,
  levels,
  listUrlSecrets,
  parseEnv,
  postgresUrl,
  privateKey,
  readPrivateKey,
  rpcUrls,
  trustedProxies,
  walletAddress,
} from '@svc/serve'
import type { Hex } from 'viem'
import { z } from 'zod'

const schema = z.object({
  /** RPC URLs of the chain, separated by commas. Default: the chain's public endpoint. */
  CHAIN_RPC_URL: rpcUrls,
  /** Path of the file with the contract addresses. */
  SVC_DEPLOYMENTS: z.string().min(1),
  /** The database with the store's records. */
  SVC_DATABASE_URL: postgresUrl,
  /** File with the private key that signs receipts. Its address is the `store` of terms. */
  SVC_STORE_KEY_FILE: z.string().min(1).optional(),
  /** The key itself, instead of a file. */
  SVC_STORE_KEY: privateKey.optional(),
  /** Domains whose sign-in messages count, separated by commas: those of the web site. */
  SVC_STORE_DOMAINS: z
    .string()
    .transform((list) => list.split(',').map((each) => each.trim()))
    .pipe(z.array(domainName).min(1).max(20)),
  /** The wallet that grants disputed work to judges. */
  SVC_STORE_CLERK: walletAddress.optional(),
  /** Folder for the parts. For one machine; otherwise use S3. */
  SVC_STORE_FOLDER: z.string().min(1).optional(),
  /** URL of the S3 bucket for the parts, path style. */
  SVC_STORE_S3_URL: httpUrl.transform((text) => text.replace(/\/+$/, '')).optional(),
  SVC_STORE_S3_REGION: z.string().min(1).default('us-east-1'),
  SVC_STORE_S3_KEY_ID: z.string().min(1).optional(),
  SVC_STORE_S3_SECRET: z.string().min(1).optional(),
  /** Only temporary credentials have a session token. */
  SVC_STORE_S3_SESSION_TOKEN: z.string().min(1).optional(),
  SVC_STORE_PORT: integer(0, 65_535).default(limits.ports.store),
  /** The address to listen on. */
  SVC_STORE_HOST: z.string().min(1).default('127.0.0.1'),
  /** Seconds between sweeps of what need not be held any more. */
  SVC_STORE_SWEEP_SECONDS: integer(1, 86_400).default(600),
  /** Minimum log level. */
  SVC_LOG_LEVEL: z.enum(levels).default('info'),
  /** Addresses and networks of our own proxies, separated by commas. `X-Forwarded-For` is trusted only from them. */
  SVC_TRUSTED_PROXIES: trustedProxies,
  /** Requests per minute and client: for parts, and for everything else. */
  SVC_RATE_READS: integer(1, 100_000_000).default(6_000),
  SVC_RATE_CALLS: integer(1, 100_000_000).default(300),
  /** Maximum number of requests in flight, and of connections. */
  SVC_MAX_IN_FLIGHT: integer(1, 100_000).default(1_000),
  SVC_MAX_CONNECTIONS: integer(1, 100_000).default(10_000),
  /** How long a stopping replica keeps serving until proxies notice. */
  SVC_DRAIN_MS: integer(0, 60_000).default(2_000),
})

export type Env = z.infer<typeof schema>

/** Names of the variables that this app reads. */
export const variables = Object.keys(schema.shape)

/** Parses the environment. Throws one error that lists all invalid variables. */
export const readStoreEnv = (environment: Environment): Env =>
  parseEnv(schema, environment, (set) => [
    ...checkKeyChoice(set, 'SVC_STORE_KEY'),
    ...(Boolean(set.SVC_STORE_FOLDER) === Boolean(set.SVC_STORE_S3_URL)
      ? ['SVC_STORE_FOLDER: either it or SVC_STORE_S3_URL is required']
      : []),
    ...['SVC_STORE_S3_KEY_ID', 'SVC_STORE_S3_SECRET']
      .filter((name) => set.SVC_STORE_S3_URL && !set[name])
      .map((name) => `${name}: needed with SVC_STORE_S3_URL`),
  ])

/** Reads the private key. Throws `EnvError`, which never contains the file's content. */
export const readStoreKey = ({ SVC_STORE_KEY, SVC_STORE_KEY_FILE }: Env): Promise<Hex> =>
  readPrivateKey('SVC_STORE_KEY_FILE', SVC_STORE_KEY, SVC_STORE_KEY_FILE)

/** Secrets that must not appear in any log: keys, and URLs that may contain one. */
export function listStoreSecrets(env: Env): string[] {
  const { SVC_STORE_KEY = '', SVC_STORE_S3_SECRET = '', SVC_STORE_S3_SESSION_TOKEN = '' } = env
  return [...listUrlSecrets(env), SVC_STORE_KEY, SVC_STORE_S3_SECRET, SVC_STORE_S3_SESSION_TOKEN]
}
