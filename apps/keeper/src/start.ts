import { getMarketDeployment } from '@svc/chain'
import { endsSoon, type FollowerContext, type Part } from '@svc/serve'
import type { Env } from './env.ts'
import { createEventLog } from './eventLog.ts'
import { createGasBudget } from './gasBudget.ts'
import { createKeeperHealth } from './health.ts'
import { runKeeper } from './keeper.ts'
import { createApiListing } from './marketWatch.ts'
import { createKeeperMetrics } from './metrics.ts'

export { readKeeperEnv } from './env.ts'

/** The tip per gas of a first attempt: blocks of Base are rarely full. */
const firstTipWei = 1_000_000n

/** Makes the calls that anyone may make, once they are due. */
export function startKeeper(context: FollowerContext<Env>): Part {
  const { env, deployments, account, providers, readHead, log, registry, signal } = context
  const metrics = createKeeperMetrics(registry)
  const health = createKeeperHealth(env.SVC_KEEPER_POLL_MS)
  const logEvent = createEventLog(log)
  const work = runKeeper({
    account,
    providers,
    readHead,
    chainId: deployments.chainId,
    deployment: getMarketDeployment(deployments),
    markets: env.SVC_KEEPER_MARKETS,
    api: env.SVC_API_URL === undefined ? undefined : createApiListing(env.SVC_API_URL),
    wallets: env.SVC_KEEPER_WALLETS,
    since: env.SVC_KEEPER_SINCE,
    graceSeconds: env.SVC_KEEPER_GRACE_SECONDS,
    budget: createGasBudget({ hourWei: env.SVC_KEEPER_HOUR_WEI, dayWei: env.SVC_KEEPER_DAY_WEI }),
    fees: { maxFeeWei: env.SVC_KEEPER_MAX_FEE_WEI, tipWei: firstTipWei },
    maxInFlight: 16,
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
  return { readiness: async () => health.assess(), done: endsSoon(work, signal) }
}
