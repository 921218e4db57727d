// Serves the local gateway, or with --check-config only says what is wrong with its configuration. The only file of this app
// with side effects.
import { chainOf, createProviders, createRpc } from '@svc/chain'
import { createLog, EnvError, listen, readConfig, stopWith } from '@svc/serve'
import { pino } from 'pino'
import { readAssets } from './assets.ts'
import { type Env, readEnv, secretsOf } from './env.ts'
import { createGateway } from './gateway.ts'

const { env, deployments } = await readConfig(readEnv, process.env).catch((error: unknown) => {
  console.error(error instanceof EnvError ? error.message : error)
  process.exit(1)
})
if (process.argv.includes('--check-config')) {
  console.log('The configuration is complete.')
  process.exit(0)
}

const log = createLog({
  level: env.SVC_LOG_LEVEL,
  secrets: secretsOf(env),
  to: pino.destination({ dest: 1, sync: true }),
})
const rpcs = env.CHAIN_RPC_URL.map((url, index) => createRpc({ name: `provider ${index + 1}`, url }))
const providers = createProviders(rpcs, chainOf(deployments.chainId))
const gateway = await createGateway({
  providers,
  deployments,
  baseUrl: env.baseUrl,
  port: env.SVC_GATEWAY_PORT,
  stateFile: env.stateFile,
  receiptKey: env.SVC_RECEIPT_KEY,
  discovery: await discoveryOf(env),
  assets: await readAssets(new URL('../pages/', import.meta.url)),
  log,
  perMinute: { reads: env.SVC_RATE_READS, calls: env.SVC_RATE_CALLS },
})
const listening = await listen({
  fetch: gateway.fetch,
  port: env.SVC_GATEWAY_PORT,
  hostname: env.SVC_GATEWAY_HOST,
  maxConnections: 1_000,
  onFault: (err) => log.error({ err }, 'fault'),
})
log.info({ port: listening.port, url: env.baseUrl }, 'listening')

stopWith(log, stop)

/** Finishes what was begun, then lets go of the file. */
async function stop(): Promise<void> {
  const ended = gateway.stop()
  await listening.close(5_000)
  await ended
}

/** The paid route, where the environment sets a price: only then its libraries are loaded. */
async function discoveryOf({ baseUrl, SVC_DISCOVERY_PRICE: price, SVC_PAY_TO: payTo, ...rest }: Env) {
  const { SVC_FACILITATOR_KEY: key, SVC_FACILITATOR_URL: url } = rest
  const [provider] = providers.all
  if (!price || !payTo || !provider) return null
  const [{ createDiscovery }, { createFacilitator }, { HTTPFacilitatorClient }] = await Promise.all([
    import('./discovery/discovery.ts'),
    import('./discovery/facilitator.ts'),
    import('@x402/core/server'),
  ])
  const facilitator = key ? createFacilitator(provider, key) : new HTTPFacilitatorClient({ url: url ?? '' })
  return createDiscovery({ baseUrl, chainId: deployments.chainId, price, payTo, facilitator })
}
