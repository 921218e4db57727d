import { join } from 'node:path'
import { getChainProfile } from '@svc/protocol'
import { chainVariables, type Environment, filePath, httpUrl, parseEnv, port, postgresUrl } from '@svc/serve'
import { z } from 'zod'
import type { MarketKeys } from './keys.ts'

/** What the operator of a market in one process sets. Everything else follows from these, or has a default. */
const schema = z.object({
  /** The public URL of the market. Links lead there, and sign-ins name its domain. */
  SVC_SITE_URL: httpUrl.transform((text) => text.replace(/\/+$/, '')),
  SVC_DEPLOYMENTS: chainVariables.SVC_DEPLOYMENTS,
  CHAIN_RPC_URL: chainVariables.CHAIN_RPC_URL,
  SVC_DATABASE_URL: postgresUrl,
  /** The folder of what must not be lost: keys and delivered work. */
  SVC_DATA_DIR: filePath,
  SVC_SITE_PORT: port.default(8_080),
  /** The folder of the built web site. Default: where `pnpm --filter @svc/site build` puts it. */
  SVC_SITE_DIR: filePath.optional(),
  /** Parts of the environment of e-mail and chat, which the notifier and the API check. */
  SVC_NOTIFY_SMTP_URL: z.string().optional(),
  SVC_NOTIFY_FROM: z.string().optional(),
  LLM_GATEWAY_API_KEY: z.string().optional(),
  LLM_BASE_URL: z.string().optional(),
  SVC_LLM_MODEL: z.string().optional(),
  SVC_LOG_LEVEL: chainVariables.SVC_LOG_LEVEL,
})

export type Env = z.infer<typeof schema>

/** Names of the variables that this app reads. Those of the parts also count if they are set. */
export const variables = Object.keys(schema.shape)

/** Parses the environment. Throws one error that lists all invalid variables. */
export const readMarketEnv = (environment: Environment): Env => parseEnv(schema, environment)

/** Polls of the chain that nobody waits for: what they look for is due for hours. */
const calmPollMs = '10000'

/** The environment of every part, from the few variables of the market. A variable of a part that is set wins. */
export function deriveEnvironment(environment: Environment, env: Env, chainId: number, keys: MarketKeys): Environment {
  const own = `http://127.0.0.1:${env.SVC_SITE_PORT}`
  const { host, protocol } = new URL(env.SVC_SITE_URL)
  const set = Object.entries(environment).filter(([, value]) => value)
  return {
    SVC_PUBLIC_RPC_URL: getChainProfile(chainId).rpcUrl ?? undefined,
    // nginx, on the same machine.
    SVC_TRUSTED_PROXIES: '127.0.0.1,::1',
    SVC_DRAIN_MS: '0',
    // A block of Base takes two seconds. Each look asks two providers, and what they are asked for is paid.
    SVC_INDEX_POLL_MS: '3000',
    SVC_STORE_URL: `${own}/store`,
    SVC_STORE_ADDRESS: keys.store.address,
    SVC_STORE_KEY_FILE: keys.files.store,
    SVC_STORE_DOMAINS: host,
    SVC_STORE_CLERK: keys.clerk.address,
    SVC_STORE_FOLDER: join(env.SVC_DATA_DIR, 'work'),
    SVC_NOTIFY_URL: own,
    SVC_NOTIFY_DOMAINS: host,
    SVC_NOTIFY_KEY: keys.contacts,
    // Push services want to know who sends.
    ...(protocol === 'https:' && { SVC_NOTIFY_VAPID_KEY: keys.push, SVC_NOTIFY_VAPID_SUBJECT: env.SVC_SITE_URL }),
    SVC_KEEPER_KEY_FILE: keys.files.keeper,
    SVC_KEEPER_POLL_MS: calmPollMs,
    SVC_CLERK_KEY_FILE: keys.files.clerk,
    SVC_CLERK_FOLDER: join(env.SVC_DATA_DIR, 'clerk'),
    SVC_CLERK_DOMAIN: host,
    SVC_CLERK_POLL_MS: calmPollMs,
    ...Object.fromEntries(set),
  }
}
