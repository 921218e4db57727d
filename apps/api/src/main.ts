// Serves the HTTP API. The only file of this app with side effects.
import { serve } from '@hono/node-server'
import { chainOf, createChainReader, createProviders, createRpc, loadDeployments } from '@svc/chain'
import { createIndexReader, servedCursors } from '@svc/index'
import { pino } from 'pino'
import postgres from 'postgres'
import { createApp } from './app.ts'
import { readEnv } from './env.ts'
import { createReads } from './reads/reads.ts'
import { createWatch } from './reads/watch.ts'

const env = readEnv(process.env)
const log = pino({ base: null })
const places = await loadDeployments(env.SVC_DEPLOYMENTS)
const rpcs = env.CHAIN_RPC_URL.map((url, index) => createRpc({ name: `provider ${index + 1}`, url }))
const direct = createChainReader(createProviders(rpcs, chainOf(places.chainId)), {
  startBlock: BigInt(places.startBlock),
  markets: {
    standard: { ...places.shared, ...places.markets.standard },
    micro: { ...places.shared, ...places.markets.micro },
  },
})
const sql = postgres(env.SVC_DATABASE_URL, { fetch_types: false, onnotice: () => {}, max: 10, connect_timeout: 5 })
const watch = createWatch({
  readIndex: () => servedCursors(sql),
  readHead: direct.head,
  listen: async (onMove) => (await sql.listen('svc_index', onMove, onMove)).unlisten,
})
const reads = createReads({
  watch,
  direct,
  index: createIndexReader(sql, direct),
  onPassedOver: (error) => log.warn({ err: (error as Error).message }, 'the index was passed over'),
})
const app = createApp({
  places,
  reads,
  watch,
  direct,
  posting: {},
  publicRpcUrl: env.SVC_PUBLIC_RPC_URL,
  onFault: (err, request) => log.error({ err, request }, 'fault'),
})
const server = serve({ fetch: app.fetch, port: env.SVC_SITE_PORT, hostname: env.SVC_SITE_HOST }, ({ port }) =>
  log.info({ port }, 'listening'),
)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)

async function stop(): Promise<void> {
  server.close()
  await watch.stop()
  await sql.end({ timeout: 5 })
}
