import { type Deployments, loadDeployments } from '@svc/chain'
import { type Env, EnvError, readEnv } from './env.ts'

export interface Config {
  env: Env
  places: Deployments
}

/** Everything that is set from outside. Throws `EnvError` with every mistake in it at the same time. */
export async function readConfig(environment: Readonly<Record<string, string | undefined>>): Promise<Config> {
  const faults: string[] = []
  let env: Env | null = null
  try {
    env = readEnv(environment)
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    faults.push(...error.faults)
  }
  const file = environment.SVC_DEPLOYMENTS
  const places = file
    ? await loadDeployments(file).catch((error: Error) => {
        faults.push(`SVC_DEPLOYMENTS: ${error.message}`)
        return null
      })
    : null
  if (env && places && faults.length === 0) return { env, places }
  throw new EnvError(faults)
}

/** What must not be seen in any log: keys, and URLs that may carry one. */
export function secretsOf({ CHAIN_RPC_URL, SVC_PUBLIC_RPC_URL, SVC_DATABASE_URL, LLM_GATEWAY_API_KEY }: Env): string[] {
  const { password } = new URL(SVC_DATABASE_URL)
  return [
    ...CHAIN_RPC_URL.filter((url) => url !== SVC_PUBLIC_RPC_URL),
    SVC_DATABASE_URL,
    decodeURIComponent(password),
    LLM_GATEWAY_API_KEY ?? '',
  ]
}
