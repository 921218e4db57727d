import { limits } from '@svc/protocol'
import { z } from 'zod'

const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
const url = z.string().regex(/^https?:\/\/\S+$/, 'not an http or https URL')

const schema = z.object({
  /** The chain's RPC; several are separated by commas. It may carry a key and is never shown. */
  CHAIN_RPC_URL: z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(url).min(1).max(8)),
  /** The RPC that clients are told to use. It must not carry a key. */
  SVC_PUBLIC_RPC_URL: url.refine((text) => !looksKeyed(text), 'looks as if it carried a key: everybody will read it'),
  /** Where the index and the posting tables are. */
  SVC_DATABASE_URL: z.string().regex(/^postgres(?:ql)?:\/\/\S+$/, 'not a postgres:// URL'),
  /** The file with the contracts' addresses. */
  SVC_DEPLOYMENTS: z.string().min(1),
  SVC_SITE_PORT: integer(0, 65_535).default(limits.ports.site),
  /** The address to listen on. */
  SVC_SITE_HOST: z.string().min(1).default('127.0.0.1'),
})

export type Env = z.infer<typeof schema>

/** The variables that this app reads. */
export const variables = Object.keys(schema.shape)

/** The environment, once, with every fault in it at the same time. */
export function readEnv(environment: Readonly<Record<string, string | undefined>>): Env {
  const { success, data, error } = schema.safeParse(environment)
  if (success) return data
  throw new EnvError(error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`))
}

/** Credentials, a query, or a long random part in the path: how providers put keys in URLs. */
function looksKeyed(text: string): boolean {
  const { username, password, search, pathname } = new URL(text)
  return Boolean(username || password || search) || pathname.split('/').some((part) => /^[\w-]{20,}$/.test(part))
}

/** An environment that nothing can start with. */
class EnvError extends Error {
  override name = 'EnvError'

  constructor(faults: readonly string[]) {
    super(`The environment is not complete:\n${faults.join('\n')}\nSee .env.example.`)
  }
}
