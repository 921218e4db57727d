import { type Deployments, loadDeployments } from '@svc/chain'
import { defaultRpcUrl, explainIssue, SvcError } from '@svc/protocol'
import { z } from 'zod'

export type Environment = Readonly<Record<string, string | undefined>>

/** Types of variables that several apps share. */
export const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
export const httpUrl = z.string().regex(/^https?:\/\/\S+$/, 'not an http or https URL')
/** RPC URLs, separated by commas; by default the chain's public endpoint. */
export const rpcUrls = z
  .string()
  .default(defaultRpcUrl)
  .transform((list) => list.split(','))
  .pipe(z.array(httpUrl).min(1).max(8))
export const postgresUrl = z.string().regex(/^postgres(?:ql)?:\/\/\S+$/, 'not a postgres:// URL')

/** Returns a notice for the log if the public endpoint is the only provider; null otherwise. */
export function describeDefaultRpc(urls: readonly string[]): string | null {
  if (urls.length !== 1 || urls[0] !== defaultRpcUrl) return null
  return `using only the public RPC endpoint ${defaultRpcUrl}; set CHAIN_RPC_URL to two providers or more`
}

/**
 * Parses the environment of an app and reports all errors at once; `more` checks rules that involve several variables.
 * `SVC_RPC_URL` overrides `CHAIN_RPC_URL`. Throws `EnvError`.
 */
export function parseEnv<S extends z.ZodObject>(
  schema: S,
  environment: Environment,
  more: (set: Environment) => string[] = () => [],
): z.output<S> {
  // Compose files and shells write an unset variable as an empty value.
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  if (set.SVC_RPC_URL) set.CHAIN_RPC_URL = set.SVC_RPC_URL
  const { success, data, error } = schema.safeParse(set, { error: explainIssue })
  const faults = [...(error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []), ...more(set)]
  if (success && faults.length === 0) return data
  throw new EnvError(faults)
}

/** Loads the environment and the address file that it names. Throws `EnvError` with all errors of both. */
export async function readConfig<Env>(
  readEnv: (environment: Environment) => Env,
  environment: Environment,
): Promise<{ env: Env; deployments: Deployments }> {
  const faults: string[] = []
  const note = (error: unknown) => {
    if (error instanceof EnvError) faults.push(...error.faults)
    else faults.push(`SVC_DEPLOYMENTS: ${(error as Error).message}`)
    return null
  }
  const env = await Promise.resolve(environment).then(readEnv).catch(note)
  const file = environment.SVC_DEPLOYMENTS
  const deployments = file ? await loadDeployments(file).catch(note) : null
  if (env && deployments) return { env, deployments }
  throw new EnvError(faults)
}

/** The environment is invalid, so the app cannot start. */
export class EnvError extends SvcError {
  override name = 'EnvError'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super('ENV', `The environment is not complete:\n${faults.map((each) => `  ${each}`).join('\n')}\nSee .env.example.`)
    this.faults = faults
  }
}
