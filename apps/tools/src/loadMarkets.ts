import { createProviders, createRpc, createViemChain, type Deployments, loadDeployments } from '@svc/chain'
import { describeDefaultRpc, EnvError, type Environment } from '@svc/serve'
import { readToolsEnv, type ToolsEnv } from './env.ts'
import { type Markets, openMarkets } from './market.ts'
import { loadPinnedDeployments } from './pinnedDeployments.ts'

/** What a user chose on the command line. */
export interface DeploymentChoice {
  /** The API whose contracts are used, instead of SVC_API_URL. */
  api?: string | undefined
  /** Accepts new addresses of the API. */
  repin?: boolean | undefined
}

/**
 * Reads the configuration of the tools and opens the markets: those of the file SVC_DEPLOYMENTS, or else those of an API.
 * `notify` gets what the user should know. Throws `EnvError`, or why the addresses cannot be used.
 */
export async function loadMarkets(
  environment: Environment,
  notify: (message: string) => void,
  { api, repin = false }: DeploymentChoice = {},
): Promise<{ env: ToolsEnv; markets: Markets }> {
  const env = readToolsEnv({ ...environment, ...(api && { SVC_API_URL: api }) })
  const notice = describeDefaultRpc(env.CHAIN_RPC_URL)
  if (notice) notify(notice)
  const deployments = await chooseDeployments(env, { environment, repin, notify })
  return { env, markets: openMarkets(env.CHAIN_RPC_URL, deployments) }
}

/** Loads the addresses from the file, which takes precedence, or from the API. */
export async function chooseDeployments(
  env: Pick<ToolsEnv, 'CHAIN_RPC_URL' | 'SVC_DEPLOYMENTS' | 'SVC_API_URL'>,
  rest: { environment: Environment; repin: boolean; notify: (message: string) => void },
): Promise<Deployments> {
  const { CHAIN_RPC_URL, SVC_DEPLOYMENTS, SVC_API_URL } = env
  if (SVC_DEPLOYMENTS) {
    return loadDeployments(SVC_DEPLOYMENTS).catch((error: unknown) => {
      throw new EnvError([`SVC_DEPLOYMENTS: ${(error as Error).message}`])
    })
  }
  if (!SVC_API_URL) {
    throw new EnvError(['SVC_API_URL: needed, or pass --api <url>; SVC_DEPLOYMENTS can name a file instead'])
  }
  const connect = ({ chainId }: Deployments) =>
    createProviders(
      CHAIN_RPC_URL.map((url, index) => createRpc({ name: `provider ${index + 1}`, url })),
      createViemChain(chainId),
    )
  return loadPinnedDeployments({ apiUrl: SVC_API_URL, connect, ...rest })
}
