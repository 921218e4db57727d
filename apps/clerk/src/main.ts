// Grants disputed work to the judges that the chain seats: node apps/clerk/src/main.ts [--check-config]
// The only file of this app with side effects. README.md describes how to run it.
import { runFollower } from '@svc/serve'
import { createAppMetrics } from '@svc/serve/metrics'
import { readClerkEnv, readClerkKey, variables } from './env.ts'
import { startClerk } from './start.ts'

await runFollower({
  environment: process.env,
  readEnv: readClerkEnv,
  variables,
  readKey: readClerkKey,
  describe: ({ deployments, account }) =>
    `wallet ${account.address}, which the store must name as SVC_STORE_CLERK; chain ${deployments.chainId}.`,
  metrics: createAppMetrics(),
  listen: (env) => ({ port: env.SVC_CLERK_PORT, host: env.SVC_HOST }),
  start: startClerk,
  message: 'following disputes',
  notes: ({ SVC_STORE_ADDRESS: store }) => ({ store }),
})
