// Serves the HTTP API; with --check-config, only reports configuration errors. This is the only file of the app with side
// effects.
import { readConnectionSettings } from '@svc/index'
import { createServiceBase, exitWithError, readConfig, reportConfig, runService } from '@svc/serve'
import { createAppMetrics } from '@svc/serve/metrics'
import { listApiSecrets, readApiEnv, variables } from './env.ts'
import { storeRequestMs } from './serviceForward.ts'
import { startApi } from './start.ts'

const { env, deployments } = await readConfig(readApiEnv, process.env).catch(exitWithError)
if (process.argv.includes('--check-config')) {
  await reportConfig({ environment: process.env, variables, deployments, summary: 'The configuration is complete.' })
}

const { registry, observer } = createAppMetrics()
const { log, providers, readHead, sql } = createServiceBase({
  name: 'svc-api',
  settings: readConnectionSettings,
  env,
  deployments,
  secrets: listApiSecrets(env),
  observer,
})
await providers.checkAll().catch(exitWithError)
const stopping = new AbortController()
await runService({
  part: await startApi({ env, deployments, providers, readHead, log, sql, registry, signal: stopping.signal }),
  port: env.SVC_SITE_PORT,
  hostname: env.SVC_HOST,
  ...(env.SVC_STORE_URL && { requestMs: storeRequestMs }),
  env,
  log,
  sql,
  stopping,
})
