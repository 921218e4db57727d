import { type Market, markets } from '@svc/protocol'
import {
  chainVariables,
  checkKeyChoice,
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
import type { Address, Hex } from 'viem'
import { z } from 'zod'

const wei = z
  .string()
  .regex(/^\d{1,30}$/, 'not an amount in wei')
  .transform(BigInt)
const list = z.string().transform((text) => text.split(',').map((each) => each.trim()))

const schema = z.object({
  ...chainVariables,
  /** The API, to find running tasks without reading every task from the chain. Optional, and never trusted. */
  SVC_API_URL: httpUrl.optional(),
  /** File with the private key that pays for gas. */
  SVC_KEEPER_KEY_FILE: filePath.optional(),
  /** The key itself, instead of a file. */
  SVC_KEEPER_KEY: privateKey.optional(),
  /** Markets to keep, separated by commas. */
  SVC_KEEPER_MARKETS: list
    .pipe(z.array(z.enum(markets)).min(1))
    .transform((names): readonly Market[] => [...new Set(names)])
    .default(markets),
  /** Acts only on tasks of these wallets (poster, worker or named arbitrator). If empty: on every task. */
  SVC_KEEPER_WALLETS: list
    .pipe(z.array(walletAddress).max(1_000))
    .transform((addresses): readonly Address[] => addresses)
    .default([]),
  /** Ignores what was due before this moment, in unix seconds. */
  SVC_KEEPER_SINCE: integer(0, 4_102_444_800).default(0),
  /** Leaves a call to the parties for so many seconds after it has become due, unless its deadline is near. */
  SVC_KEEPER_GRACE_SECONDS: integer(0, 604_800).default(0),
  /** The most to spend on gas in any hour and in any day, in wei. */
  SVC_KEEPER_HOUR_WEI: wei.default(1_000_000_000_000_000n),
  SVC_KEEPER_DAY_WEI: wei.default(5_000_000_000_000_000n),
  /** The highest fee per gas to offer, in wei. Above it, the keeper waits. */
  SVC_KEEPER_MAX_FEE_WEI: wei.default(2_000_000_000n),
  /** Milliseconds between polls of the chain. */
  SVC_KEEPER_POLL_MS: integer(10, 60_000).default(2_000),
  /** Each keeper waits a different part of this time before a call, so that several keepers do not pay for the same one. */
  SVC_KEEPER_JITTER_MS: integer(0, 600_000).default(15_000),
  /** Seconds after which a transaction that is not mined is sent again with a higher fee. */
  SVC_KEEPER_REPLACE_SECONDS: integer(1, 3_600).default(30),
  /** Seconds between walks over all tasks. Events are followed meanwhile. */
  SVC_KEEPER_SCAN_SECONDS: integer(1, 86_400).default(600),
  /** Port for health and metrics; 0 picks a free one. */
  SVC_KEEPER_PORT: port.default(9_465),
})

export type Env = z.infer<typeof schema>

/** Names of the variables that this app reads. */
export const variables = Object.keys(schema.shape)

/** Parses the environment. Throws one error that lists all invalid variables. */
export const readKeeperEnv = (environment: Environment): Env =>
  parseEnv(schema, environment, (set) => checkKeyChoice(set, 'SVC_KEEPER_KEY'))

/** Reads the private key. Throws `EnvError`, which never contains the file's content. */
export const readKeeperKey = ({ SVC_KEEPER_KEY, SVC_KEEPER_KEY_FILE }: Env): Promise<Hex> =>
  readPrivateKey('SVC_KEEPER_KEY_FILE', SVC_KEEPER_KEY, SVC_KEEPER_KEY_FILE)
