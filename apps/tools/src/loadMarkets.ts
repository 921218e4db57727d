import { createProviders, createRpc, createViemChain, type Deployments } from '@svc/chain'
import { defaultRpcUrl, getChainProfile } from '@svc/protocol'
import { describeDefaultRpc, type Environment, readConfig } from '@svc/serve'
import { createTimelineFinder } from '@svc/work'
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
  const given: Environment = { ...environment, ...(api && { SVC_API_URL: api }) }
  // Reports errors of the environment and of the file together.
  const { env, deployments: own } = given.SVC_DEPLOYMENTS
    ? await readConfig(readToolsEnv, given)
    : { env: readToolsEnv(given), deployments: null }
  const isSet = Boolean(given.SVC_RPC_URL || given.CHAIN_RPC_URL)
  const listRpcUrls = ({ chainId }: Deployments) => (own || isSet ? env.CHAIN_RPC_URL : listPublicRpcUrls(chainId))
  const deployments =
    own ?? (await loadApiDeployments(env.SVC_API_URL ?? '', listRpcUrls, { environment, repin, notify }))
  const urls = listRpcUrls(deployments)
  const notice = describeDefaultRpc(urls)
  if (notice) notify(notice)
  const findTimeline = env.SVC_API_URL ? createTimelineFinder({ baseUrl: env.SVC_API_URL }) : undefined
  return { env: { ...env, CHAIN_RPC_URL: urls }, markets: openMarkets(urls, deployments, findTimeline) }
}

/** The public endpoint of a chain, as our own list names it: an API may name the chain, but never the endpoint. */
export const listPublicRpcUrls = (chainId: number): string[] => [getChainProfile(chainId).rpcUrl ?? defaultRpcUrl]

/** Loads the addresses from the API, verified on chain and pinned. */
export function loadApiDeployments(
  apiUrl: string,
  listRpcUrls: (deployments: Deployments) => readonly string[],
  rest: { environment: Environment; repin: boolean; notify: (message: string) => void },
): Promise<Deployments> {
  const connect = (deployments: Deployments) =>
    createProviders(
      listRpcUrls(deployments).map((url, index) => createRpc({ name: `provider ${index + 1}`, url })),
      createViemChain(deployments.chainId),
    )
  return loadPinnedDeployments({ apiUrl, connect, ...rest })
}
