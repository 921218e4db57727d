import { type Deployments, loadDeployments } from '@svc/chain'
import { type Env, EnvError, readEnv } from './env.ts'

/** All that the indexer is told. */
export interface Config {
  env: Env
  deployments: Deployments
}

/** The environment and the addresses it leads to. Refuses with every mistake in both at the same time. */
export async function loadConfig(environment: Readonly<Record<string, string | undefined>>): Promise<Config> {
  const faults: string[] = []
  const note = (error: unknown) => {
    if (error instanceof EnvError) faults.push(...error.faults)
    else faults.push(`SVC_DEPLOYMENTS: ${(error as Error).message}`)
    return null
  }
  const env = await Promise.resolve(environment).then(readEnv).catch(note)
  const file = environment.SVC_DEPLOYMENTS
  const deployments = file ? await loadDeployments(file).catch(note) : null
  if (!env || !deployments) throw new EnvError(faults)
  return { env, deployments }
}
