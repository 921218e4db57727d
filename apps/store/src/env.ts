import { limits } from '@svc/protocol'
import {
  chainVariables,
  checkKeyChoice,
  domainNames,
  type Environment,
  filePath,
  httpUrl,
  integer,
  listUrlSecrets,
  parseEnv,
  port,
  postgresUrl,
  privateKey,
  readPrivateKey,
  replicaVariables,
  requestRate,
  walletAddress,
} from '@svc/serve'
import type { Hex } from 'viem'
import { z } from 'zod'

const schema = z.object({
  ...chainVariables,
  ...replicaVariables,
  /** The database with the store's records. */
  SVC_DATABASE_URL: postgresUrl,
  /** File with the private key that signs receipts. Its address is the `store` of terms. */
  SVC_STORE_KEY_FILE: filePath.optional(),
  /** The key itself, instead of a file. */
  SVC_STORE_KEY: privateKey.optional(),
  /** The API, which is asked which store the site names: a store with another key is not ready. */
  SVC_API_URL: httpUrl.optional(),
  /** Domains whose sign-in messages count, separated by commas: those of the web site. */
  SVC_STORE_DOMAINS: domainNames,
  /** The wallet that grants disputed work to judges. */
  SVC_STORE_CLERK: walletAddress.optional(),
  /** Folder for the parts. For one machine; otherwise use S3. */
  SVC_STORE_FOLDER: filePath.optional(),
  /** URL of the S3 bucket for the parts, path style. */
  SVC_STORE_S3_URL: httpUrl.transform((text) => text.replace(/\/+$/, '')).optional(),
  SVC_STORE_S3_REGION: z.string().min(1).default('us-east-1'),
  SVC_STORE_S3_KEY_ID: z.string().min(1).optional(),
  SVC_STORE_S3_SECRET: z.string().min(1).optional(),
  /** Only temporary credentials have a session token. */
  SVC_STORE_S3_SESSION_TOKEN: z.string().min(1).optional(),
  SVC_STORE_PORT: port.default(limits.ports.store),
  /** Seconds between sweeps of what need not be held any more. */
  SVC_STORE_SWEEP_SECONDS: integer(1, 86_400).default(600),
  /** Requests per minute and client for parts. */
  SVC_RATE_READS: requestRate.default(6_000),
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
