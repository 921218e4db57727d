import * as z from 'zod/mini'
import { UsageError } from './exitOf.ts'

const schema = z.object({
  /** The file with the contracts' addresses. */
  SVC_DEPLOYMENTS: z.optional(z.string()),
  /** The chain's RPC, asked only for signatures of contract wallets; of several, separated by commas, the first. */
  CHAIN_RPC_URL: z.optional(z.string()),
  /** The same, before the other. */
  SVC_RPC_URL: z.optional(z.string()),
  /** The database of the XMTP inbox. */
  XMTP_DB_PATH: z._default(z.string(), 'xmtp/inbox.db3'),
  XMTP_ENV: z._default(z.enum(['local', 'dev', 'production'], 'local, dev or production'), 'production'),
})

/** The environment but for PRIVATE_KEY, which only what signs looks at. */
export type Env = z.infer<typeof schema>

/** The variables that the negotiation reads. */
export const variables = [...Object.keys(schema.shape), 'PRIVATE_KEY']

/** Reads the environment. Refuses what cannot be meant, without repeating it. */
export function readEnv(environment: Readonly<Record<string, string | undefined>>): Env {
  // An empty value is how compose files and shells write none.
  const set = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  )
  const { success, data, error } = z.safeParse(schema, set)
  if (success) return data
  throw new UsageError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}.`).join(' '))
}
