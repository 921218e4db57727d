import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import type { Deployments, ProviderObserver } from '@svc/chain'
import type { Registry } from 'prom-client'
import type { Hex, LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Environment, listUrlSecrets, readConfig } from './config.ts'
import { reportConfig } from './configChecks.ts'
import { startHealthServer } from './healthServer.ts'
import type { Part, PartContext } from './part.ts'
import { createProcessBase, type ProcessBaseOptions } from './processBase.ts'
import { exitWithError } from './stopWith.ts'
import { version } from './version.ts'

/** A part that acts with a wallet. */
export interface FollowerContext<Env> extends PartContext<Env> {
  account: LocalAccount
}

export interface FollowerOptions<Env extends ProcessBaseOptions['env']> {
  environment: Environment
  readEnv: (environment: Environment) => Env
  /** Names of the variables that the app reads. */
  variables: readonly string[]
  /** Reads the private key of the wallet that acts. */
  readKey: (env: Env) => Promise<Hex>
  /** What `--check-config` prints about a valid configuration. */
  describe: (config: { env: Env; deployments: Deployments; account: LocalAccount }) => string
  metrics: { registry: Registry; observer: ProviderObserver }
  listen: (env: Env) => { port: number; host: string }
  start: (context: FollowerContext<Env>) => Part
  /** What it says when it has begun. */
  message: string
  /** Goes to the first line of the log. */
  notes: (env: Env) => object
}

/**
 * Runs an app that polls the chain and acts with a wallet: configuration, checked providers, health and metrics, the work, and the
 * end after a signal. Ends the process.
 */
export async function runFollower<Env extends ProcessBaseOptions['env']>(
  options: FollowerOptions<Env>,
): Promise<never> {
  const { environment, readEnv, readKey, metrics } = options
  const { values: flags } = parseArgs({ options: { 'check-config': { type: 'boolean', default: false } } })
  const { env, deployments, account } = await readConfig(readEnv, environment)
    .then(async (config) => ({ ...config, account: privateKeyToAccount(await readKey(config.env)) }))
    .catch(exitWithError)
  if (flags['check-config']) {
    const summary = `Configuration is valid: ${options.describe({ env, deployments, account })}`
    await reportConfig({ environment, variables: options.variables, deployments, summary })
  }
  const secrets = listUrlSecrets(env)
  const { log, providers, readHead } = createProcessBase({ ...metrics, env, deployments, secrets, buffered: false })
  await providers.checkAll().catch(exitWithError)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const { registry } = metrics
  try {
    const part = options.start({ env, deployments, account, providers, readHead, log, registry, signal: stop.signal })
    const server = await startHealthServer({ ...options.listen(env), readiness: part.readiness, registry })
    const { port } = server.address() as AddressInfo
    log.info({ version, wallet: account.address, ...options.notes(env), port }, options.message)
    await part.done
    log.info('stopped')
  } catch (error) {
    log.fatal(error)
    process.exit(1)
  }
  process.exit(0)
}
