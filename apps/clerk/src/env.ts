import {
  chainVariables,
  checkKeyChoice,
  domainName,
  type Environment,
  filePath,
  httpUrl,
  integer,
  parseEnv,
  port,
  privateKey,
  readPrivateKey,
  walletAddress,
} from '@svc/serve'
import type { Hex } from 'viem'
import { z } from 'zod'

const schema = z.object({
  ...chainVariables,
  /** The API, to find the events of old tasks. Optional: the events themselves are read from the chain. */
  SVC_API_URL: httpUrl.optional(),
  /** The store whose disputed work is granted. */
  SVC_STORE_URL: httpUrl,
  /** The wallet that signs the receipts of that store. Sessions are bound to it. */
  SVC_STORE_ADDRESS: walletAddress,
  /** The domain that sign-ins name: the one of the web site. */
  SVC_CLERK_DOMAIN: domainName,
  /** File with the private key of the clerk's wallet. It signs in, and needs no money. */
  SVC_CLERK_KEY_FILE: filePath.optional(),
  /** The key itself, instead of a file. */
  SVC_CLERK_KEY: privateKey.optional(),
  /** Folder with the reading key, which opens disputed work. It is created with the first start. */
  SVC_CLERK_FOLDER: filePath,
  /** Milliseconds between polls of the chain. */
  SVC_CLERK_POLL_MS: integer(10, 60_000).default(2_000),
  /** Seconds until a disputed task is looked at again without an event: a judge may have signed in, or a party granted a bundle. */
  SVC_CLERK_RECHECK_SECONDS: integer(1, 3_600).default(30),
  /** Port for health and metrics; 0 picks a free one. */
  SVC_CLERK_PORT: port.default(9_466),
})

export type Env = z.infer<typeof schema>

/** Names of the variables that this app reads. */
export const variables = Object.keys(schema.shape)

/** Parses the environment. Throws one error that lists all invalid variables. */
export const readClerkEnv = (environment: Environment): Env =>
  parseEnv(schema, environment, (set) => checkKeyChoice(set, 'SVC_CLERK_KEY'))

/** Reads the private key of the wallet. Throws `EnvError`, which never contains the file's content. */
export const readClerkKey = ({ SVC_CLERK_KEY, SVC_CLERK_KEY_FILE }: Env): Promise<Hex> =>
  readPrivateKey('SVC_CLERK_KEY_FILE', SVC_CLERK_KEY, SVC_CLERK_KEY_FILE)
