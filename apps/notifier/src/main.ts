// Notifies wallets of what happens to their tasks; with --check-config, only reports configuration errors. This is the only file of the
// app with side effects.
import { parseArgs } from 'node:util'
import { createServiceBase, exitWithError, readConfig, reportConfig, runService } from '@svc/serve'
import { createAppMetrics } from '@svc/serve/metrics'
import { listNotifierSecrets, readNotifierEnv, variables } from './env.ts'
import { startNotifier } from './start.ts'

const { values: flags } = parseArgs({ options: { 'check-config': { type: 'boolean' } } })
const { env, deployments } = await readConfig(readNotifierEnv, process.env).catch(exitWithError)
if (flags['check-config']) {
  const summary = `Configuration is valid: chain ${deployments.chainId}, domains ${env.SVC_NOTIFY_DOMAINS.join(', ')}.`
  await reportConfig({ environment: process.env, variables, deployments, summary })
}

const { registry, observer } = createAppMetrics()
const secrets = listNotifierSecrets(env)
const { log, providers, readHead, sql } = createServiceBase({
  name: 'svc-notifier',
  env,
  deployments,
  secrets,
  observer,
})
const stopping = new AbortController()
await runService({
  part: startNotifier({ env, deployments, providers, readHead, log, sql, registry, signal: stopping.signal }),
  port: env.SVC_NOTIFY_PORT,
  hostname: env.SVC_HOST,
  env,
  log,
  sql,
  stopping,
})
