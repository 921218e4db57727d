import { type Deployments, loadDeployments } from '@svc/chain'
import { z } from 'zod'

export type Environment = Readonly<Record<string, string | undefined>>

/** Kinds of variables that several apps have. */
export const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
export const httpUrl = z.string().regex(/^https?:\/\/\S+$/, 'not an http or https URL')
export const rpcUrls = z
  .string()
  .transform((list) => list.split(','))
  .pipe(z.array(httpUrl).min(1).max(8))
export const postgresUrl = z.string().regex(/^postgres(?:ql)?:\/\/\S+$/, 'not a postgres:// URL')

/**
 * The environment of an app, once, with every fault in it at the same time; `more` finds those that no variable has alone.
 * `SVC_RPC_URL` takes the place of `CHAIN_RPC_URL`. Throws `EnvError`.
 */
export function parseEnv<S extends z.ZodObject>(
  schema: S,
  environment: Environment,
  more: (set: Environment) => string[] = () => [],
): z.output<S> {
  // An empty value is how compose files and shells write none.
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  if (set.SVC_RPC_URL) set.CHAIN_RPC_URL = set.SVC_RPC_URL
  const { success, data, error } = schema.safeParse(set)
  const faults = [...(error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []), ...more(set)]
  if (success && faults.length === 0) return data
  throw new EnvError(faults)
}

/** The environment and the file of addresses that it names. Throws `EnvError` with every mistake in both at the same time. */
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

/** An environment that nothing can start with. */
export class EnvError extends Error {
  override name = 'EnvError'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The environment is not complete:\n${faults.map((each) => `  ${each}`).join('\n')}\nSee .env.example.`)
    this.faults = faults
  }
}
