import { createChainVerifier, getMarketDeployment } from '@svc/chain'
import { endsSoon, type FollowerContext, type Part } from '@svc/serve'
import { createTimelineFinder } from '@svc/work'
import { runClerk } from './clerk.ts'
import { createClerkLog } from './clerkLog.ts'
import type { Env } from './env.ts'
import { createClerkHealth } from './health.ts'
import { createClerkMetrics } from './metrics.ts'
import { createStoreOpener } from './openStore.ts'

export { readClerkEnv } from './env.ts'

/** Grants disputed work to the judges that the chain seats. */
export function startClerk(context: FollowerContext<Env>): Part {
  const { env, deployments, account, providers, readHead, log, registry, signal } = context
  const metrics = createClerkMetrics(registry)
  const health = createClerkHealth(env.SVC_CLERK_POLL_MS)
  const logEvent = createClerkLog(log)
  const verifySignature = createChainVerifier(providers)
  const createReadingOptions = () => ({
    domain: env.SVC_CLERK_DOMAIN,
    chainId: deployments.chainId,
    verifySignature,
    now: Math.floor(Date.now() / 1000),
  })
  const work = runClerk({
    providers,
    readHead,
    chainId: deployments.chainId,
    deployment: getMarketDeployment(deployments),
    findTimeline: env.SVC_API_URL ? createTimelineFinder({ baseUrl: env.SVC_API_URL }) : undefined,
    openStore: createStoreOpener({
      baseUrl: env.SVC_STORE_URL,
      address: env.SVC_STORE_ADDRESS,
      account,
      folder: env.SVC_CLERK_FOLDER,
      createReadingOptions,
    }),
    createReadingOptions,
    pollMs: env.SVC_CLERK_POLL_MS,
    recheckMs: env.SVC_CLERK_RECHECK_SECONDS * 1_000,
    scanMs: 600_000,
    signal,
    onEvent: (event) => {
      metrics.record(event)
      health.record(event)
      logEvent(event)
    },
  })
  return { readiness: async () => health.assess(), done: endsSoon(work, signal) }
}
