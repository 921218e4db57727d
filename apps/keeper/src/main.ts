// Makes the calls that anyone may make, once they are due: node apps/keeper/src/main.ts [--check-config]
// The only file of this app with side effects. README.md describes how to run it.
import { getMarketDeployment } from '@svc/chain'
import { runFollower } from '@svc/serve'
import { readKeeperEnv, readKeeperKey, variables } from './env.ts'
import { createEventLog } from './eventLog.ts'
import { createGasBudget } from './gasBudget.ts'
import { createKeeperHealth } from './health.ts'
import { runKeeper } from './keeper.ts'
import { createApiListing } from './marketWatch.ts'
import { createKeeperMetrics } from './metrics.ts'

const metrics = createKeeperMetrics()
await runFollower({
  environment: process.env,
  readEnv: readKeeperEnv,
  variables,
  readKey: readKeeperKey,
  describe: ({ env, deployments, account }) =>
    `wallet ${account.address}, chain ${deployments.chainId}, markets ${env.SVC_KEEPER_MARKETS.join(', ')}.`,
  metrics,
  listen: (env) => ({ port: env.SVC_KEEPER_PORT, host: env.SVC_KEEPER_HOST }),
  follow({ env, deployments, account, providers, log, signal }) {
    const health = createKeeperHealth(env.SVC_KEEPER_POLL_MS)
    const logEvent = createEventLog(log)
    const run = () =>
      runKeeper({
        account,
        providers,
        chainId: deployments.chainId,
        deployment: getMarketDeployment(deployments),
        markets: env.SVC_KEEPER_MARKETS,
        api: env.SVC_API_URL === undefined ? undefined : createApiListing(env.SVC_API_URL),
        wallets: env.SVC_KEEPER_WALLETS,
        since: env.SVC_KEEPER_SINCE,
        graceSeconds: env.SVC_KEEPER_GRACE_SECONDS,
        budget: createGasBudget({ hourWei: env.SVC_KEEPER_HOUR_WEI, dayWei: env.SVC_KEEPER_DAY_WEI }),
        fees: { maxFeeWei: env.SVC_KEEPER_MAX_FEE_WEI, tipWei: env.SVC_KEEPER_TIP_WEI },
        maxInFlight: env.SVC_KEEPER_MAX_IN_FLIGHT,
        pollMs: env.SVC_KEEPER_POLL_MS,
        jitterMs: env.SVC_KEEPER_JITTER_MS,
        replaceMs: env.SVC_KEEPER_REPLACE_SECONDS * 1000,
        scanMs: env.SVC_KEEPER_SCAN_SECONDS * 1000,
        signal,
        onEvent: (event) => {
          metrics.record(event)
          health.record(event)
          logEvent(event)
        },
      })
    return { readiness: health.assess, message: 'following tasks', notes: { markets: env.SVC_KEEPER_MARKETS }, run }
  },
})
