import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type CheckedProviders, createCheckedProviders, type Deployments, type ProviderObserver } from '@svc/chain'
import { type Level, type Logger, pino } from 'pino'
import type { Hex, LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describeDefaultRpc, type Environment, readConfig } from './config.ts'
import { reportConfig } from './configChecks.ts'
import { type HealthServerOptions, startHealthServer } from './healthServer.ts'
import { exitWithError } from './stopWith.ts'
import { version } from './version.ts'

/** Time to finish the current poll on shutdown. The chain remembers what is left undone. */
const shutdownMs = 1_500

interface FollowerEnv {
  CHAIN_RPC_URL: readonly string[]
  SVC_LOG_LEVEL: Level | 'silent'
}

/** What a follower works with. */
interface FollowerContext<Env> {
  env: Env
  deployments: Deployments
  account: LocalAccount
  providers: CheckedProviders
  log: Logger
  signal: AbortSignal
}

export interface FollowerOptions<Env extends FollowerEnv> {
  environment: Environment
  readEnv: (environment: Environment) => Env
  /** Names of the variables that the app reads. */
  variables: readonly string[]
  /** Reads the private key of the wallet that acts. */
  readKey: (env: Env) => Promise<Hex>
  /** What `--check-config` prints about a valid configuration. */
  describe: (config: Pick<FollowerContext<Env>, 'env' | 'deployments' | 'account'>) => string
  metrics: { registry: HealthServerOptions['registry']; observer: ProviderObserver }
  listen: (env: Env) => { port: number; host: string }
  /** Begins the work, which lasts until the signal aborts. `notes` go to the first line of the log. */
  follow: (context: FollowerContext<Env>) => {
    readiness: () => { ready: boolean }
    message: string
    notes: object
    run: () => Promise<void>
  }
}

/**
 * Runs an app that polls the chain and acts with a wallet: configuration, checked providers, health and metrics, the work, and the
 * end after a signal. Ends the process.
 */
export async function runFollower<Env extends FollowerEnv>(options: FollowerOptions<Env>): Promise<never> {
  const { environment, readEnv, readKey, metrics } = options
  const { values: flags } = parseArgs({ options: { 'check-config': { type: 'boolean', default: false } } })
  const { env, deployments, account } = await readConfig(readEnv, environment)
    .then(async (config) => ({ ...config, account: privateKeyToAccount(await readKey(config.env)) }))
    .catch(exitWithError)
  if (flags['check-config']) {
    const summary = `Configuration is valid: ${options.describe({ env, deployments, account })}`
    await reportConfig({ environment, variables: options.variables, deployments, summary })
  }
  const log = pino({ base: null, level: env.SVC_LOG_LEVEL })
  const providers = createCheckedProviders({
    urls: env.CHAIN_RPC_URL,
    deployments,
    observer: metrics.observer,
    onFailover: (provider, { message }) => log.debug({ provider, err: message }, 'provider failed, using the next'),
    onRefused: ({ message }) => log.error(message),
  })
  await providers.checkAll().catch(exitWithError)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  try {
    const rpcNotice = describeDefaultRpc(env.CHAIN_RPC_URL)
    if (rpcNotice) log.warn(rpcNotice)
    const work = options.follow({ env, deployments, account, providers, log, signal: stop.signal })
    const server = await startHealthServer({
      ...options.listen(env),
      readiness: async () => work.readiness(),
      registry: metrics.registry,
    })
    const { port } = server.address() as AddressInfo
    log.info({ version, wallet: account.address, ...work.notes, port }, work.message)
    await Promise.race([work.run(), once(stop.signal, 'abort').then(() => wait(shutdownMs))])
    log.info('stopped')
  } catch (error) {
    log.fatal(error)
    process.exit(1)
  }
  process.exit(0)
}
