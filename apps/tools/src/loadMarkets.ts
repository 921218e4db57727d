import { describeDefaultRpc, type Environment, readConfigOrApi } from '@svc/serve'
import { createTimelineFinder } from '@svc/work'
import { readToolsEnv, type ToolsEnv } from './env.ts'
import { type Markets, openMarkets } from './market.ts'

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
  const { env, deployments } = await readConfigOrApi(readToolsEnv, { environment: given, repin, notify })
  const { CHAIN_RPC_URL: urls } = env
  const notice = describeDefaultRpc(urls)
  if (notice) notify(notice)
  const findTimeline = env.SVC_API_URL ? createTimelineFinder({ baseUrl: env.SVC_API_URL }) : undefined
  return { env, markets: openMarkets(urls, deployments, findTimeline) }
}
