// Grants disputed work to the judges that the chain seats: node apps/clerk/src/main.ts [--check-config]
// The only file of this app with side effects. README.md describes how to run it.
import { createChainVerifier, getMarketDeployment } from '@svc/chain'
import { runFollower } from '@svc/serve'
import { createTimelineFinder } from '@svc/work'
import { runClerk } from './clerk.ts'
import { createClerkLog } from './clerkLog.ts'
import { readClerkEnv, readClerkKey, variables } from './env.ts'
import { createClerkHealth } from './health.ts'
import { createClerkMetrics } from './metrics.ts'
import { createStoreOpener } from './openStore.ts'

const metrics = createClerkMetrics()
await runFollower({
  environment: process.env,
  readEnv: readClerkEnv,
  variables,
  readKey: readClerkKey,
  describe: ({ deployments, account }) =>
    `wallet ${account.address}, which the store must name as SVC_STORE_CLERK; chain ${deployments.chainId}.`,
  metrics,
  listen: (env) => ({ port: env.SVC_CLERK_PORT, host: env.SVC_CLERK_HOST }),
  follow({ env, deployments, account, providers, log, signal }) {
    const health = createClerkHealth(env.SVC_CLERK_POLL_MS)
    const logEvent = createClerkLog(log)
    const verifySignature = createChainVerifier(providers)
    const createReadingOptions = () => ({
      domain: env.SVC_CLERK_DOMAIN,
      chainId: deployments.chainId,
      verifySignature,
      now: Math.floor(Date.now() / 1000),
    })
    const run = () =>
      runClerk({
        providers,
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
        scanMs: env.SVC_CLERK_SCAN_SECONDS * 1_000,
        signal,
        onEvent: (event) => {
          metrics.record(event)
          health.record(event)
          logEvent(event)
        },
      })
    return { readiness: health.assess, message: 'following disputes', notes: { store: env.SVC_STORE_ADDRESS }, run }
  },
})
