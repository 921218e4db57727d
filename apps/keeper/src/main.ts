// Makes the calls that anyone may make, once they are due: node apps/keeper/src/main.ts [--check-config]
// The only file of this app with side effects. README.md describes how to run it.
import { runFollower } from '@svc/serve'
import { createAppMetrics } from '@svc/serve/metrics'
import { readKeeperEnv, readKeeperKey, variables } from './env.ts'
import { startKeeper } from './start.ts'

await runFollower({
  environment: process.env,
  readEnv: readKeeperEnv,
  variables,
  readKey: readKeeperKey,
  describe: ({ env, deployments, account }) =>
    `wallet ${account.address}, chain ${deployments.chainId}, markets ${env.SVC_KEEPER_MARKETS.join(', ')}.`,
  metrics: createAppMetrics(),
  listen: (env) => ({ port: env.SVC_KEEPER_PORT, host: env.SVC_HOST }),
  start: startKeeper,
  message: 'following tasks',
  notes: ({ SVC_KEEPER_MARKETS: markets }) => ({ markets }),
})
