import { describeDefaultRpc, type Environment, readConfig } from '@svc/serve'
import { readToolsEnv, type ToolsEnv } from './env.ts'
import { type Markets, openMarkets } from './market.ts'

/** Reads the configuration of the tools and opens the markets. `notify` gets what the user should know. Throws `EnvError`. */
export async function loadMarkets(
  environment: Environment,
  notify: (message: string) => void,
): Promise<{ env: ToolsEnv; markets: Markets }> {
  const { env, deployments } = await readConfig(readToolsEnv, environment)
  const notice = describeDefaultRpc(env.CHAIN_RPC_URL)
  if (notice) notify(notice)
  return { env, markets: openMarkets(env.CHAIN_RPC_URL, deployments) }
}
