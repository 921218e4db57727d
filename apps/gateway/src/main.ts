// Serves the local gateway. With --check-config it only reports problems in the configuration; with --repin it accepts new
// addresses of the API. The only file of this app with side effects.
import { createCheckedProviders } from '@svc/chain'
import { SvcError } from '@svc/protocol'
import {
  createLog,
  describeDefaultRpc,
  EnvError,
  exitWithError,
  listen,
  readConfigOrApi,
  reportConfig,
  stopWith,
  version,
} from '@svc/serve'
import { pino } from 'pino'
import { readAssets } from './assets.ts'
import { type Env, listGatewaySecrets, readGatewayEnv, variables } from './env.ts'
import { createGateway } from './gateway.ts'

const { env, deployments } = await readConfigOrApi(readGatewayEnv, {
  environment: process.env,
  repin: process.argv.includes('--repin'),
  notify: (message) => console.error(message),
}).catch((error: unknown) => {
  console.error(error instanceof EnvError || error instanceof SvcError ? error.message : error)
  process.exit(1)
})
if (process.argv.includes('--check-config')) {
  await reportConfig({ environment: process.env, variables, deployments, summary: 'The configuration is valid.' })
}

const log = createLog({
  level: env.SVC_LOG_LEVEL,
  secrets: listGatewaySecrets(env),
  to: pino.destination({ dest: 1, sync: true }),
})
const rpcNotice = describeDefaultRpc(env.CHAIN_RPC_URL)
if (rpcNotice) log.warn({}, rpcNotice)
const providers = createCheckedProviders({
  urls: env.CHAIN_RPC_URL,
  deployments,
  onFailover: (provider, error) => log.debug({ provider, err: error.message }, 'provider failed, trying the next one'),
  onRefused: ({ message }) => log.error({}, message),
})
await providers.checkAll().catch(exitWithError)
const gateway = await createGateway({
  providers,
  deployments,
  baseUrl: env.baseUrl,
  port: env.SVC_GATEWAY_PORT,
  stateFile: env.stateFile,
  apiUrl: env.SVC_API_URL,
  receiptKey: env.SVC_RECEIPT_KEY,
  discovery: await buildDiscovery(env),
  assets: await readAssets(new URL('../pages/', import.meta.url)),
  log,
  perMinute: { reads: env.SVC_RATE_READS, calls: env.SVC_RATE_CALLS },
  trustedProxies: env.SVC_TRUSTED_PROXIES,
})
const listening = await listen({
  fetch: gateway.fetch,
  port: env.SVC_GATEWAY_PORT,
  hostname: env.SVC_HOST,
  maxConnections: 1_000,
  onFault: (err) => log.error({ err }, 'fault'),
})
log.info({ version, port: listening.port, url: env.baseUrl }, 'listening')

stopWith(log, stop)

/** Finishes the requests in progress, then closes the file. */
async function stop(): Promise<void> {
  const ended = gateway.stop()
  await listening.close(5_000)
  await ended
}

/** Creates the paid route if the environment sets a price. Its libraries are loaded only then. */
async function buildDiscovery({ baseUrl, SVC_DISCOVERY_PRICE: price, SVC_PAY_TO: payTo, ...rest }: Env) {
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
