// Makes the calls that anyone may make, once they are due: node apps/keeper/src/main.ts [--check-config]
// The only file of this app with side effects. README.md describes how to run it.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createProviders, createRpc, createViemChain, getMarketDeployment } from '@svc/chain'
import { describeDefaultRpc, readConfig, startHealthServer } from '@svc/serve'
import { pino } from 'pino'
import { privateKeyToAccount } from 'viem/accounts'
import { readKeeperEnv, readKeeperKey } from './env.ts'
import { createEventLog } from './eventLog.ts'
import { createGasBudget } from './gasBudget.ts'
import { createKeeperHealth } from './health.ts'
import { runKeeper } from './keeper.ts'
import { createKeeperMetrics } from './metrics.ts'
import { createApiListing } from './taskListing.ts'

/** Time to finish the current poll on shutdown. Transactions in flight need no process. */
const shutdownMs = 1_500

const { values: flags } = parseArgs({ options: { 'check-config': { type: 'boolean', default: false } } })
const { env, deployments, account } = await readConfig(readKeeperEnv, process.env)
  .then(async (config) => ({ ...config, account: privateKeyToAccount(await readKeeperKey(config.env)) }))
  .catch((error: Error) => {
    console.error(error.message)
    process.exit(1)
  })
if (flags['check-config']) {
  console.log(
    `Configuration is valid: wallet ${account.address}, chain ${deployments.chainId}, markets ${env.SVC_KEEPER_MARKETS.join(', ')}.`,
  )
  process.exit(0)
}

const log = pino({ base: null, level: env.SVC_LOG_LEVEL })
const rpcs = env.CHAIN_RPC_URL.map((url, index) => createRpc({ name: `provider ${index + 1}`, url }))
const providers = createProviders(rpcs, createViemChain(deployments.chainId), {
  onFailover: (provider, { message }) => log.debug({ provider, err: message }, 'provider failed, using the next'),
})
const metrics = createKeeperMetrics()
const health = createKeeperHealth(env.SVC_KEEPER_POLL_MS)
const logEvent = createEventLog(log)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

try {
  const rpcNotice = describeDefaultRpc(env.CHAIN_RPC_URL)
  if (rpcNotice) log.warn(rpcNotice)
  const server = await startHealthServer({
    port: env.SVC_KEEPER_PORT,
    host: env.SVC_KEEPER_HOST,
    readiness: async () => health.assess(),
    registry: metrics.registry,
  })
  const { port } = server.address() as AddressInfo
  log.info({ wallet: account.address, markets: env.SVC_KEEPER_MARKETS, port }, 'keeping')
  const work = runKeeper({
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
    signal: stop.signal,
    onEvent: (event) => {
      metrics.record(event)
      health.record(event)
      logEvent(event)
    },
  })
  await Promise.race([work, once(stop.signal, 'abort').then(() => wait(shutdownMs))])
  log.info('stopped')
} catch (error) {
  log.fatal(error)
  process.exit(1)
}
process.exit(0)
