import { explainIssue, formatIssue } from '@svc/protocol/internal/base'
import * as z from 'zod/mini'
import { UsageError } from './describeExit.ts'

const schema = z.object({
  /** The API whose contracts are used if there is no file. */
  SVC_API_URL: z.optional(z.url({ protocol: /^https?$/, error: 'not an http or https URL' })),
  /** The file with the contract addresses. */
  SVC_DEPLOYMENTS: z.optional(z.string()),
  /** The RPC URL of the chain, used only for signatures of contract wallets. Of several, the first is used. */
  CHAIN_RPC_URL: z.optional(z.string()),
  /** The same; takes precedence. */
  SVC_RPC_URL: z.optional(z.string()),
  /** The database of the XMTP inbox. */
  XMTP_DB_PATH: z._default(z.string(), 'xmtp/inbox.db3'),
  XMTP_ENV: z._default(z.enum(['local', 'dev', 'production'], 'local, dev or production'), 'production'),
})

/** The environment without PRIVATE_KEY, which only signing commands read. */
export type NegotiateEnv = z.infer<typeof schema>

/** The variables that svc-negotiate reads. */
export const negotiateVariables = [...Object.keys(schema.shape), 'PRIVATE_KEY']

/** Reads the environment. Throws `UsageError` for invalid values, without printing them. */
export function readNegotiateEnv(environment: Readonly<Record<string, string | undefined>>): NegotiateEnv {
  // Compose files and shells set a variable to an empty string to unset it.
  const set = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  )
  const { success, data, error } = z.safeParse(schema, set, { error: explainIssue })
  if (success) return data
  throw new UsageError(error.issues.map((issue) => formatIssue(issue)).join(' '))
}
