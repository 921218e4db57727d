// A whole market in one process: node apps/market/src/main.ts [--check-config]
// The only file of this app with side effects. docs/debian.md describes how to run it.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readConnectionSettings } from '@svc/index'
import {
  createServiceBase,
  exitWithError,
  listen,
  listUrlSecrets,
  readConfig,
  reportConfig,
  stopWith,
  version,
} from '@svc/serve'
import { createAppMetrics } from '@svc/serve/metrics'
import { deriveEnvironment, readMarketEnv, variables } from './env.ts'
import { ensureMarketKeys } from './keys.ts'
import { startMarket } from './start.ts'
import { startWatchdog } from './watchdog.ts'

const { env, deployments } = await readConfig(readMarketEnv, process.env).catch(exitWithError)
if (process.argv.includes('--check-config')) {
  const summary = `Configuration is valid: ${env.SVC_SITE_URL} on chain ${deployments.chainId}.`
  await reportConfig({ environment: process.env, variables, deployments, summary })
}
const keys = await ensureMarketKeys(env.SVC_DATA_DIR).catch(exitWithError)
const builtSite = fileURLToPath(new URL('../../site/dist', import.meta.url))
const site = env.SVC_SITE_DIR ?? (existsSync(builtSite) ? builtSite : '')
const given = { ...process.env, SVC_SITE_DIR: site }
const environment = deriveEnvironment(given, env, deployments.chainId, keys)
const { registry, observer } = createAppMetrics(['/', env.SVC_DATA_DIR])
const secrets = [env.LLM_GATEWAY_API_KEY, env.SVC_NOTIFY_SMTP_URL, keys.contacts, keys.push].filter(
  (each) => each !== undefined,
)
const { log, flushLog, providers, readHead, sql } = createServiceBase({
  name: 'svc-market',
  settings: readConnectionSettings,
  env,
  deployments,
  secrets: [...listUrlSecrets(env), ...secrets],
  observer,
  headMs: 1_900,
})
if (!site) log.warn({}, 'the site is not built, so only the API is served')
await providers.checkAll().catch(exitWithError)
startWatchdog(30_000)
const stopping = new AbortController()
const { signal } = stopping
let market: ReturnType<typeof startMarket>
try {
  market = startMarket({ environment, deployments, keys, providers, readHead, log, sql, registry, signal })
} catch (error) {
  exitWithError(error)
}
const listening = await listen({
  fetch: market.fetch,
  port: env.SVC_SITE_PORT,
  hostname: process.env.SVC_HOST || '127.0.0.1',
  // Uploads of the store over slow lines.
  requestMs: 120_000,
  onFault: (err) => log.error({ err }, 'fault'),
})
const wallets = { store: keys.store.address, keeper: keys.keeper.address, clerk: keys.clerk.address }
log.info({ version, port: listening.port, wallets, startMs: Math.round(performance.now()) }, 'listening')
stopWith(log, async () => {
  stopping.abort()
  await listening.close(10_000)
  await market.close()
  await market.done
  await sql.end({ timeout: 5 })
  log.info({}, 'stopped')
  flushLog()
  process.exit()
})
