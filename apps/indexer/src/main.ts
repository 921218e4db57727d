// Follows both markets into Postgres. The only file of this app with side effects.
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { chainOf, createProviders, createRpc, loadDeployments } from '@svc/chain'
import { connector, createBuild, marketNumber, schemaOf, serveBuild, servingBuild } from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { pino } from 'pino'
import postgres from 'postgres'
import { compareSample, distrust } from './differential.ts'
import { readEnv } from './env.ts'
import { follow, type Progress } from './follow.ts'
import { createMetrics } from './metrics.ts'

const env = readEnv(process.env)
const log = pino({ base: null })
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

const { chainId, startBlock, markets: places } = await loadDeployments(env.SVC_DEPLOYMENTS)
const rpcs = env.CHAIN_RPC_URL.map((url, index) => createRpc({ name: `provider ${index + 1}`, url }))
const providers = createProviders(rpcs, chainOf(chainId)).all
const sql = postgres(env.SVC_DATABASE_URL, { fetch_types: false, onnotice: () => {}, max: 1 })
const connect = connector(env.SVC_DATABASE_URL)
const metrics = createMetrics()
const build = env.SVC_INDEX_BUILD
const caughtUp = new Set<Market>()
const lastHead = new Map<Market, number>()

await whenever('the tables are made', () => createBuild(sql, build))
const server = createServer(async ({ url }, response) => {
  if (url === '/metrics') {
    response.setHeader('content-type', metrics.registry.contentType).end(await metrics.registry.metrics())
  } else if (url === '/readyz') {
    // Ready is the age of the head, not the health of the process.
    const ages = markets.map((market) => Date.now() / 1000 - (lastHead.get(market) ?? 0))
    const ready = ages.every((age) => age < 30)
    response.writeHead(ready ? 200 : 503).end(JSON.stringify({ ready, ages }))
  } else response.writeHead(url === '/healthz' ? 200 : 404).end()
}).listen(env.SVC_INDEX_PORT, '127.0.0.1')

await Promise.all([...markets.map(followMarket), ...markets.map(compareMarket)])
server.close()
await sql.end({ timeout: 5 })

function followMarket(market: Market): Promise<void> {
  return follow({
    market,
    build,
    connect,
    providers,
    chainId,
    contracts: places[market],
    startBlock: BigInt(startBlock),
    maxBlocks: env.SVC_INDEX_MAX_BLOCKS,
    signal: stop.signal,
    pause: (why) =>
      wait(why === 'idle' ? env.SVC_INDEX_POLL_MS : 250, undefined, { signal: stop.signal }).catch(() => {}),
    onProgress: (progress) => watch(market, progress),
  })
}

function watch(market: Market, progress: Progress): void {
  metrics.progress(market, progress)
  if ('cursor' in progress) lastHead.set(market, progress.cursor.timestamp)
  if (progress.kind === 'stalled') log.warn({ market, err: progress.error.message }, 'stalled')
  if (progress.kind === 'standby') log.info({ market }, 'standing by')
  if (progress.kind === 'writing') log.info({ market, block: Number(progress.cursor.number) }, 'writing')
  if (progress.kind === 'rolledBack') log.warn({ market, depth: Number(progress.depth) }, 'the chain went another way')
  if (progress.kind === 'halted') log.error({ market, reason: progress.reason }, 'halted')
  if (progress.kind === 'caughtUp' && !caughtUp.has(market)) {
    caughtUp.add(market)
    log.info({ market, block: Number(progress.cursor.number), digest: progress.cursor.digest }, 'caught up')
    // A new build takes over only when it is whole.
    if (caughtUp.size === markets.length) void whenever('the build serves', takeOver)
  }
}

async function takeOver(): Promise<void> {
  if ((await servingBuild(sql)) === build) return
  await serveBuild(sql, build)
  log.info({ build }, 'serving')
}

/** Compares with contract storage for as long as the process lives. */
async function compareMarket(market: Market): Promise<void> {
  while (!stop.signal.aborted) {
    await wait(env.SVC_INDEX_SAMPLE_SECONDS * 1000, undefined, { signal: stop.signal }).catch(() => {})
    if (stop.signal.aborted) return
    await sample(market).catch((error: Error) => log.warn({ market, err: error.message }, 'nothing compared'))
  }
}

async function sample(market: Market): Promise<void> {
  const [provider] = providers
  const connection = connect(schemaOf(build))
  try {
    const found =
      provider && (await compareSample(connection, marketNumber(market), provider, places[market].taskLens, 50))
    if (!found) return
    metrics.compared(market, found.compared, found.differences.length)
    if (found.differences.length === 0) return
    log.error(
      { market, tasks: found.differences.map(({ number }) => String(number)) },
      'the index differs from the chain',
    )
    watch(market, { kind: 'halted', reason: await distrust(connection, marketNumber(market), found.differences) })
  } finally {
    await connection.end({ timeout: 1 })
  }
}

/** Tries until it works: the database may come later than this process. */
async function whenever(what: string, work: () => Promise<void>): Promise<void> {
  while (!stop.signal.aborted) {
    try {
      return await work()
    } catch (error) {
      log.warn({ err: (error as Error).message }, `waiting until ${what}`)
      await wait(500, undefined, { signal: stop.signal }).catch(() => {})
    }
  }
}
